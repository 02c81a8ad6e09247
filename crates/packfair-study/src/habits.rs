//! What the page says about a log's users: their sessions, their think times, and whether they react at all.

use super::format::{duration, number, whole};
use packfair_workload::{Dependence, Habits, Quantiles, StatedCounts, Summary};

/// Lines of a label, a value and a note on the users' habits. Where users react, the lines tell all that they do;
/// otherwise only what the log states that jobs depend on.
pub fn of_summary(summary: &Summary) -> Vec<(&'static str, String, String)> {
    match &summary.habits {
        Some(habits) => lines(habits),
        None if summary.dependent > 0 => vec![(
            "Stated dependencies",
            format!("{} jobs come after others", whole(summary.dependent as i64)),
            "they are submitted when the log says all the same, unless users react".to_owned(),
        )],
        None => Vec::new(),
    }
}

/// Lines of a label, a value and a note on the habits of users who react.
pub fn lines(habits: &Habits) -> Vec<(&'static str, String, String)> {
    let count = |count: usize| whole(count as i64);
    let mut lines = Vec::new();
    if habits.sessions.jobs > 0 {
        lines.push(("Sessions of a user", spread(&habits.sessions.quantiles, number), mean(habits.sessions.mean)));
        lines.push(("Jobs of a session", spread(&habits.jobs.quantiles, number), mean(habits.jobs.mean)));
    }
    let of = format!("of {}: what a user submits without waiting for any of it", count(habits.batches));
    lines.push(("Batches that waited", count(habits.dependent), of));
    if habits.thinks.jobs > 0 {
        let note = format!("of {} within a session, from the end of what was waited for", count(habits.thinks.jobs));
        lines.push(("Think time", spread(&habits.thinks.quantiles, duration), note));
    }
    if let Some(dependence) = &habits.dependence {
        lines.push(("Do they react?", reaction(dependence), classes(dependence)));
    }
    if habits.stated.all() > 0 {
        lines.push((
            "Stated dependencies",
            format!("{} followed", count(habits.stated.followed)),
            left(&habits.stated),
        ));
    }
    if habits.unknown_starts > 0 {
        let note = "taken to have started at once".to_owned();
        lines.push(("Starts unknown", format!("{} jobs", count(habits.unknown_starts)), note));
    }
    lines
}

fn mean(mean: f64) -> String {
    format!("{} on average", number(mean))
}

fn spread(quantiles: &Quantiles, text: impl Fn(f64) -> String) -> String {
    let Quantiles { median, p90, max, .. } = *quantiles;
    format!("median {}, 10 % above {}, at most {}", text(median), text(p90), text(max))
}

/// Whether think times grow with response times, as far as the log shows it.
fn reaction(Dependence { rank, interval: (low, high), .. }: &Dependence) -> String {
    let said = if *low > 0.0 {
        "yes: after long responses they think longer"
    } else if *high < 0.0 {
        "no: after long responses they think less"
    } else {
        "not seen: they think as long, however long they waited"
    };
    format!("{said} (rank correlation {rank:.2}, {low:.2} to {high:.2})")
}

fn classes(dependence: &Dependence) -> String {
    let mut before = None;
    let mut each = Vec::new();
    for &(upto, count, median) in &dependence.classes {
        let class = match (before, upto) {
            (_, Some(upto)) => format!("up to {}", duration(upto as f64)),
            (Some(from), None) => format!("over {}", duration(from)),
            (None, None) => "all".to_owned(),
        };
        before = upto.map(|upto| upto as f64);
        if count > 0 {
            each.push(format!("{class} {}", duration(median)));
        }
    }
    format!("median think time after responses of {}", each.join(", "))
}

/// Which stated dependencies were not followed, and why.
fn left(stated: &StatedCounts) -> String {
    let StatedCounts { missing, itself, later, contradicted, other, followed: _ } = *stated;
    let kinds = [
        (missing, "on jobs that are not there"),
        (itself, "on the job itself"),
        (later, "on later jobs"),
        (
            contradicted,
            "on jobs that had not ended when these were submitted: they were held, so count waits since eligible",
        ),
        (other, "on something else than an end"),
    ];
    let told = kinds.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, what)| format!("{} {what}", whole(*count as i64))).collect();
    if told.is_empty() { "all of them".to_owned() } else { format!("not followed: {}", told.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::Distribution;

    #[test]
    fn what_is_not_there_is_not_told() {
        let stated = StatedCounts { followed: 3, missing: 2, later: 1, ..StatedCounts::default() };
        let habits = Habits {
            sessions: Distribution::default(),
            jobs: Distribution::default(),
            batches: 9,
            dependent: 3,
            thinks: Distribution::default(),
            dependence: None,
            stated,
            unknown_starts: 0,
        };
        let texts: Vec<String> =
            lines(&habits).into_iter().map(|(what, value, note)| format!("{what}: {value}; {note}")).collect();
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert_eq!(
            texts[1],
            "Stated dependencies: 3 followed; not followed: 2 on jobs that are not there, 1 on later jobs"
        );
    }

    #[test]
    fn whether_users_react_goes_by_the_interval() {
        let of =
            |low, high| reaction(&Dependence { rank: (low + high) / 2.0, interval: (low, high), classes: Vec::new() });
        assert!(of(0.1, 0.3).starts_with("yes") && of(0.1, 0.3).ends_with("(rank correlation 0.20, 0.10 to 0.30)"));
        assert!(of(-0.1, 0.1).starts_with("not seen") && of(-0.3, -0.1).starts_with("no:"));
    }
}
