//! Decides which function goes into which module.

use crate::module::Module;
use std::collections::{BTreeMap, BTreeSet};
use wasmparser::BinaryReaderError;

/// The end of the names of exported functions that load the late part. They stay, with all that they call.
const LATE_PART: &str = "late_part";

/// How a module is split.
pub struct Parting {
    /// Functions that stay, in their order.
    pub first: Vec<u32>,
    /// Functions that come later, in their order.
    pub late: Vec<u32>,
    /// Late functions that first ones may call, each with the places in the first table through which they are called.
    pub slots: BTreeMap<u32, Vec<u32>>,
    /// First functions, and imported ones, that late ones call.
    pub shared: Vec<u32>,
    /// The number of places of the first table.
    pub table: u64,
}

impl Parting {
    /// Functions with at least `smallest` bytes of code move to the late module, and so do functions that only they
    /// call. Functions stay if `stays` says so of their names, or if they have no name, as those that the optimiser has
    /// merged.
    pub fn new(module: &Module, smallest: usize, stays: impl Fn(&str) -> bool) -> Result<Self, BinaryReaderError> {
        let calls: Vec<Vec<u32>> =
            (0..module.functions.len() as u32).map(|f| module.called_by(f)).collect::<Result<_, _>>()?;
        let mut kept: BTreeSet<u32> = module.exported.iter().map(|export| export.1).chain(module.start).collect();
        // the functions that load the late part, or report that it cannot be loaded, would wait for themselves
        let mut open: Vec<u32> =
            module.exported.iter().filter(|export| export.0.ends_with(LATE_PART)).map(|export| export.1).collect();
        while let Some(function) = open.pop() {
            open.extend(calls[function as usize].iter().filter(|f| kept.insert(**f)));
        }
        let waits = |f: &u32| {
            let is_worth_it = module.body(*f).is_some_and(|body| body.as_bytes().len() >= smallest);
            is_worth_it && !kept.contains(f) && module.names.get(f).is_some_and(|name| !name.is_empty() && !stays(name))
        };

        let mut is_first = vec![false; module.functions.len()];
        let mut open: Vec<u32> =
            kept.iter().copied().chain(module.slots.iter().map(|slot| slot.1)).filter(|f| !waits(f)).collect();
        while let Some(function) = open.pop() {
            if !std::mem::replace(&mut is_first[function as usize], true) {
                open.extend(calls[function as usize].iter().filter(|f| !waits(f)));
            }
        }
        let (first, late): (Vec<u32>, Vec<u32>) = module.defined().partition(|&f| is_first[f as usize]);

        let mut slots = BTreeMap::<u32, Vec<u32>>::new();
        for &(place, function) in
            module.slots.iter().filter(|slot| !is_first[slot.1 as usize] && slot.1 >= module.imported)
        {
            slots.entry(function).or_default().push(place);
        }
        let mut table = module.tables.first().map_or(0, |table| table.initial);
        for &called in
            first.iter().flat_map(|&f| &calls[f as usize]).filter(|&&f| f >= module.imported && !is_first[f as usize])
        {
            slots.entry(called).or_insert_with(|| {
                table += 1;
                vec![table as u32 - 1]
            });
        }
        let called: BTreeSet<u32> = late.iter().flat_map(|&f| &calls[f as usize]).copied().collect();
        let shared = called.into_iter().filter(|&f| f < module.imported || is_first[f as usize]).collect();
        Ok(Parting { first, late, slots, shared, table })
    }
}
