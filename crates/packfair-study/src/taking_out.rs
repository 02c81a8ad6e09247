//! What a change takes out of a study, in words, and how to put it back.

use super::format::factor;
use super::{Study, format};

/// What `before` has and `after` lacks, as a sentence. `None` where nothing is gone, or where several kinds of things
/// are gone, as when another study has been opened.
pub fn taken_out(before: &Study, after: &Study) -> Option<String> {
    let schedulers = gone(&before.schedulers, &after.schedulers, |scheduler| scheduler.name());
    let methods = gone(&before.methods, &after.methods, |method| method.name());
    let factors = gone(&before.distortions, &after.distortions, |k| format!("k = {}", factor(*k)));
    let shrinks = gone(&before.shrinks, &after.shrinks, |f| format!("f = {}", factor(*f)));
    let columns = gone(&before.columns, &after.columns, |metric| format!("the column {}", metric.about().name));
    let partitions = gone(&before.partitions, &after.partitions, |of| format!("the partition {}", of.name));
    let what_ifs = gone(&before.what_ifs, &after.what_ifs, |of| format!("the machine with {}", of.name()));
    let lists = [schedulers, methods, factors, shrinks, columns, partitions, what_ifs];
    let touched = lists.iter().filter(|gone| !gone.is_empty()).count();
    let all: Vec<String> = lists.into_iter().flatten().collect();
    match all.as_slice() {
        _ if touched != 1 => None,
        [one] => Some(format!("{one} was taken out.", one = capital(one))),
        several => Some(format!("{} were taken out: {}.", format::whole(several.len() as i64), several.join(", "))),
    }
}

/// Puts back into `study` what `before` had, at its old place. Later additions and changes stay.
pub fn put_back(study: &mut Study, before: &Study) {
    put_in(&mut study.schedulers, &before.schedulers);
    put_in(&mut study.methods, &before.methods);
    put_in(&mut study.distortions, &before.distortions);
    put_in(&mut study.shrinks, &before.shrinks);
    put_in(&mut study.what_ifs, &before.what_ifs);
    put_in(&mut study.columns, &before.columns);
    put_in(&mut study.partitions, &before.partitions);
}

fn gone<T: PartialEq>(before: &[T], after: &[T], name: impl Fn(&T) -> String) -> Vec<String> {
    before.iter().filter(|item| !after.contains(item)).map(name).collect()
}

fn put_in<T: PartialEq + Clone>(list: &mut Vec<T>, before: &[T]) {
    for (place, item) in before.iter().enumerate() {
        if !list.contains(item) {
            list.insert(place.min(list.len()), item.clone());
        }
    }
}

/// Makes the first letter of "the ..." a capital; names stay as they are.
fn capital(text: &str) -> String {
    text.strip_prefix("the ").map_or_else(|| text.to_owned(), |rest| format!("The {rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::metric::Metric;

    fn changed(change: impl FnOnce(&mut Study)) -> (Study, Study) {
        let before = Study::first_visit();
        let mut after = before.clone();
        change(&mut after);
        (before, after)
    }

    #[test]
    fn what_is_taken_out_is_named_and_comes_back_to_its_place() {
        let (before, mut after) = changed(|study| drop(study.schedulers.remove(1)));
        assert_eq!(taken_out(&before, &after).as_deref(), Some("JustBF was taken out."));
        // Something else changes meanwhile.
        after.columns.push(Metric::Late);
        put_back(&mut after, &before);
        assert_eq!(after.schedulers, before.schedulers);
        assert_eq!(after.columns.last(), Some(&Metric::Late));

        let (before, after) = changed(|study| study.columns.truncate(5));
        assert_eq!(
            taken_out(&before, &after).as_deref(),
            Some("2 were taken out: the column Utilisation, the column Max wait.")
        );
        let (before, after) = changed(|study| study.columns.retain(|&metric| metric != Metric::Af));
        assert_eq!(taken_out(&before, &after).as_deref(), Some("The column AF was taken out."));
    }

    #[test]
    fn what_is_added_or_replaced_is_not_taken_out() {
        let (before, after) = changed(|study| study.columns.push(Metric::Late));
        assert_eq!(taken_out(&before, &after), None);
        let (before, after) = changed(|study| {
            study.schedulers.remove(0);
            study.columns.clear();
        });
        assert_eq!(taken_out(&before, &after), None, "another study");
    }
}
