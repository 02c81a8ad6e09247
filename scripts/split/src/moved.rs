//! What has moved, and by which line.

use crate::module::Module;
use crate::parting::Parting;
use std::error::Error;
use std::fmt;

/// What has moved to the module that comes later.
#[derive(Debug)]
pub struct Moved {
    /// By each line. A function that two lines name is with both.
    lines: Vec<(String, Weight)>,
    /// What no line names: functions that are called by the others alone.
    called: Weight,
    all: Weight,
}

/// How much code.
#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    functions: usize,
    bytes: usize,
}

impl Moved {
    /// What `parting` moves, by these lines. An error where one moves nothing.
    pub fn new(module: &Module, parting: &Parting, lines: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut moved = Moved {
            lines: lines.iter().map(|&line| (line.to_owned(), Weight::default())).collect(),
            called: Weight::default(),
            all: Weight::default(),
        };
        for function in &parting.late {
            let bytes = module.body(*function).map_or(0, |body| body.as_bytes().len());
            let name = module.names.get(function).map_or("", String::as_str);
            moved.all.add(bytes);
            let mut is_named = false;
            for (_, weight) in moved.lines.iter_mut().filter(|(line, _)| name.contains(line.as_str())) {
                weight.add(bytes);
                is_named = true;
            }
            if !is_named {
                moved.called.add(bytes);
            }
        }
        moved.check(module)?;
        Ok(moved)
    }

    /// Every line must move something.
    fn check(&self, module: &Module) -> Result<(), String> {
        let idle = self.lines.iter().filter(|(_, weight)| weight.functions == 0);
        let said: Vec<String> = idle
            .map(|(line, _)| match module.names.values().any(|name| name.contains(line.as_str())) {
                true => format!("{line}\n    names only functions that stay, for they are exported or too small"),
                false => format!("{line}\n    is in no function's name"),
            })
            .collect();
        match said.is_empty() {
            true => Ok(()),
            false => Err(format!("these lines move nothing; take them out, or mend them\n  {}", said.join("\n  "))),
        }
    }
}

impl Weight {
    fn add(&mut self, bytes: usize) {
        self.functions += 1;
        self.bytes += bytes;
    }
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row =
            |Weight { functions, bytes }: Weight, what: &str| writeln!(f, "{functions:>9} {bytes:>9}  {what}");
        for (line, weight) in &self.lines {
            row(*weight, line)?;
        }
        row(self.called, "called by those alone")?;
        row(self.all, "functions, bytes in all")
    }
}
