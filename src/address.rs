//! A place in the page as text: the part of the page's address after `#`.
//!
//! With a link open the text is `v1.…&tab=charts`, otherwise `log=KTH-SP2.swf.gz~90ab…&tab=jobs&job=10919`. All of it
//! is after `#`, because browsers do not send that part to the host: nobody learns which logs and jobs a user looks at.

use packfair_study::check::{GENERATED_PROCESSORS, GENERATED_RANGE};
use packfair_study::{Generated, Source};
use packfair_workload::{Fingerprint, JobId};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};

/// The characters besides letters and digits that are not escaped in an address: mail programs and chats leave these
/// alone.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The separator between a log's name and its fingerprint, and between a job's number and its index.
const MARK: char = '~';

/// The number of characters of a log's name that an address contains.
const NAME_LENGTH: usize = 60;

/// A tab of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tab {
    #[default]
    Compare,
    /// What changes of a Slurm site bring.
    Cluster,
    Charts,
    /// The workload's summary, distributions and account.
    Workload,
    Jobs,
    /// How long each group of jobs waits.
    Waits,
    /// How good the estimates were.
    Estimates,
    /// The search for non-dominated settings.
    Explore,
    /// When the waiting jobs of a moment start.
    When,
    /// What schedulers do, on a few jobs.
    Learn,
}

impl Tab {
    pub const ALL: [Tab; 10] = [
        Tab::Compare,
        Tab::Cluster,
        Tab::Charts,
        Tab::Workload,
        Tab::Jobs,
        Tab::Waits,
        Tab::Estimates,
        Tab::Explore,
        Tab::When,
        Tab::Learn,
    ];

    /// The id of the tab in addresses and in the markup of the page.
    pub fn id(self) -> &'static str {
        match self {
            Tab::Compare => "compare",
            Tab::Cluster => "cluster",
            Tab::Charts => "charts",
            Tab::Workload => "workload",
            Tab::Jobs => "jobs",
            Tab::Waits => "waits",
            Tab::Estimates => "estimates",
            Tab::Explore => "explore",
            Tab::When => "when",
            Tab::Learn => "learn",
        }
    }
}

/// A job as an address names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The job's number in the log; -1 if it has none.
    pub number: i64,
    /// The job's index, if the number does not identify it: the log has the number twice, or not at all.
    pub job: Option<JobId>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PagePlace {
    /// The open link, as its own text ([`packfair_study::link`]).
    pub link: Option<String>,
    /// The log shown, if no link is open; `None` if the address does not name one.
    pub log: Option<Source>,
    /// The tab; `None` if the address does not name one.
    pub view: Option<Tab>,
    pub job: Option<Picked>,
    /// The lesson, if the tab is Learn and one is chosen: lower-case letters.
    pub lesson: Option<String>,
}

/// How the browser's history changes when another place is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryStep {
    /// The history stays unchanged: this is the same place.
    Stay,
    /// The current entry is rewritten: Back would lead to the same content.
    Rewrite,
    /// A new entry is added: Back leads to the previous place.
    Advance,
}

impl PagePlace {
    /// Parses the part of an address after `#`, with or without it. Parts that are not understood are ignored.
    pub fn parse(fragment: &str) -> PagePlace {
        let mut place = PagePlace::default();
        for (i, part) in fragment.trim_start_matches('#').split('&').enumerate() {
            match part.split_once('=') {
                Some(("tab", id)) => place.view = Tab::ALL.into_iter().find(|view| view.id() == id),
                Some(("log", text)) => place.log = source(text),
                Some(("job", text)) => place.job = picked(text),
                Some(("learn", id)) => (place.view, place.lesson) = (Some(Tab::Learn), lesson(id)),
                // any other first part is meant as a link; if it is not one, opening it will say why
                _ if i == 0 && !part.is_empty() => place.link = Some(part.to_owned()),
                _ => {}
            }
        }
        place
    }

    /// The part of the address after `#`, without the `#`.
    pub fn fragment(&self) -> String {
        let mut parts = Vec::new();
        match (&self.link, &self.log) {
            (Some(link), _) => parts.push(link.clone()),
            (None, Some(log)) => parts.push(format!("log={}", log_text(log))),
            (None, None) => {}
        }
        // a lesson implies its tab, and the first tab is the default
        if let Some(lesson) = &self.lesson {
            parts.push(format!("learn={lesson}"));
        } else if let Some(view) = self.view.filter(|view| *view != Tab::default()) {
            parts.push(format!("tab={}", view.id()));
        }
        if let Some(Picked { number, job }) = self.job {
            let number = if number < 0 { String::new() } else { number.to_string() };
            let job = job.map(|JobId(index)| format!("{MARK}{index}")).unwrap_or_default();
            parts.push(format!("job={number}{job}"));
        }
        parts.join("&")
    }

    pub fn step_to(&self, next: &PagePlace) -> HistoryStep {
        let view = |place: &PagePlace| place.view.unwrap_or_default();
        let log = |place: &PagePlace| place.log.as_ref().map(Source::key);
        let is_same_job = match (self.job, next.job) {
            (Some(before), Some(now)) => before.number == now.number && (before.job.is_none() || now.job.is_none()),
            (before, now) => before == now || now.is_none(),
        };
        // an address that a user has typed, or a link that could not be opened, names less than what is shown
        let says_little = self.link.is_none() && self.log.is_none();
        if self.fragment() == next.fragment() {
            HistoryStep::Stay
        } else if view(self) != view(next)
            || self.lesson != next.lesson
            || (!says_little && (&self.link, log(self)) != (&next.link, log(next)))
        {
            HistoryStep::Advance
        } else if says_little || is_same_job {
            HistoryStep::Rewrite
        } else {
            HistoryStep::Advance
        }
    }
}

/// The question of a search that an address contains in `explore=`, as text ([`packfair_study::explore::ExploreQuestion`]).
pub fn question_in(fragment: &str) -> Option<&str> {
    fragment.trim_start_matches('#').split('&').find_map(|part| part.strip_prefix("explore="))
}

/// A forecast that an address contains in `forecast=`, as text ([`packfair_when::WhenLink`]).
pub fn forecast_in(fragment: &str) -> Option<&str> {
    fragment.trim_start_matches('#').split('&').find_map(|part| part.strip_prefix("forecast="))
}

/// The text of a log in an address, which [`source`] parses.
fn log_text(source: &Source) -> String {
    match source {
        Source::Trace { name, fingerprint } => {
            let name: String = name.chars().take(NAME_LENGTH).collect();
            format!("{}{MARK}{fingerprint}", utf8_percent_encode(&name, PLAIN))
        }
        Source::Generated(Generated::Lublin { jobs, processors, seed }) => format!("lublin-{jobs}-{processors}-{seed}"),
    }
}

fn source(text: &str) -> Option<Source> {
    if let Some((name, fingerprint)) = text.rsplit_once(MARK) {
        let name: String = percent_decode_str(name).decode_utf8_lossy().chars().take(NAME_LENGTH).collect();
        let fingerprint = (fingerprint.len() == 32).then(|| fingerprint.parse::<Fingerprint>().ok())??;
        return Some(Source::Trace { name, fingerprint });
    }
    let mut numbers = text.strip_prefix("lublin-")?.split('-');
    let mut next = || numbers.next();
    let (jobs, processors) = (next()?.parse().ok()?, next()?.parse().ok()?);
    let seed = next()?.parse().ok()?;
    let is_whole = next().is_none() && GENERATED_RANGE.contains(&jobs) && GENERATED_PROCESSORS.contains(&processors);
    is_whole.then_some(Source::Generated(Generated::Lublin { jobs, processors, seed }))
}

/// The id of a lesson. Whether there is such a lesson is for the tab to see.
fn lesson(text: &str) -> Option<String> {
    let is_id = (1..=NAME_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase());
    is_id.then(|| text.to_owned())
}

fn picked(text: &str) -> Option<Picked> {
    let (number, job) = match text.split_once(MARK) {
        Some((number, job)) => (number, Some(JobId(job.parse().ok()?))),
        None => (text, None),
    };
    let number = if number.is_empty() { -1 } else { number.parse().ok().filter(|number| *number >= 0)? };
    (number >= 0 || job.is_some()).then_some(Picked { number, job })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "v1.eJwrSy0qzszPAwAOFALH_-";

    fn trace(name: &str) -> Source {
        Source::Trace { name: name.to_owned(), fingerprint: Fingerprint(0x90ab) }
    }

    fn at(source: Source) -> PagePlace {
        PagePlace { log: Some(source), ..PagePlace::default() }
    }

    #[test]
    fn every_place_is_found_again_by_its_address() {
        let generated = Source::Generated(Generated::Lublin { jobs: 2_000, processors: 128, seed: u64::MAX });
        let picked = Picked { number: 10_919, job: None };
        let places = [
            PagePlace::default(),
            at(generated.clone()),
            at(trace("KTH-SP2.swf.gz")),
            at(trace("a & b=c #1 ~ 50 %/ü.swf")),
            PagePlace { view: Some(Tab::Jobs), job: Some(picked), ..at(generated) },
            PagePlace { view: Some(Tab::Jobs), job: Some(Picked { job: Some(JobId(7)), ..picked }), ..at(trace("x")) },
            PagePlace {
                view: Some(Tab::Jobs),
                job: Some(Picked { number: -1, job: Some(JobId(7)) }),
                ..at(trace("x"))
            },
            PagePlace { link: Some(LINK.to_owned()), view: Some(Tab::Charts), ..PagePlace::default() },
            PagePlace { view: Some(Tab::Learn), ..at(trace("x")) },
            PagePlace { view: Some(Tab::Learn), lesson: Some("backfilling".to_owned()), ..PagePlace::default() },
        ];
        for place in places {
            let text = place.fragment();
            assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || "-._~&=%".contains(c)), "{text}");
            assert_eq!(PagePlace::parse(&text), place, "{text}");
            assert_eq!(PagePlace::parse(&format!("#{text}")), place, "{text}");
        }
    }

    #[test]
    fn links_are_what_they_were_before_there_was_more_in_an_address() {
        assert_eq!(PagePlace::parse(LINK).link.as_deref(), Some(LINK));
        assert_eq!(PagePlace { link: Some(LINK.to_owned()), ..PagePlace::default() }.fragment(), LINK);
        // damaged links are still meant as links; the page reports that they are damaged
        for damaged in ["v1.eJwr=3D", "v2", "%20v1.abc"] {
            assert_eq!(PagePlace::parse(damaged).link.as_deref(), Some(damaged));
        }
    }

    #[test]
    fn an_address_shows_what_a_person_looks_for() {
        let place = PagePlace {
            view: Some(Tab::Jobs),
            job: Some(Picked { number: 10_919, job: None }),
            ..at(trace("KTH-SP2 (clean).swf"))
        };
        let expected = "log=KTH-SP2%20%28clean%29.swf~000000000000000000000000000090ab&tab=jobs&job=10919";
        assert_eq!(place.fragment(), expected);
    }

    #[test]
    fn what_makes_no_sense_says_nothing() {
        for text in [
            "",
            "#",
            "&",
            "&&tab=",
            "tab=nowhere",
            "log=KTH",
            "log=KTH~90ab",
            "log=lublin-0-1-1",
            "log=lublin-5-5-5-5",
            "job=",
            "job=x",
            "job=-5",
            "job=~",
        ] {
            assert_eq!(PagePlace::parse(text), PagePlace::default(), "{text}");
        }
        for text in ["learn=", "learn=../x", "learn=Fcfs"] {
            let learn = PagePlace { view: Some(Tab::Learn), ..PagePlace::default() };
            assert_eq!(PagePlace::parse(text), learn, "{text}: the tab, and no lesson");
        }
        assert_eq!(PagePlace::parse("#learn=fcfs").fragment(), "learn=fcfs");
        let much = PagePlace::parse("tab=jobs&later=1&tab=charts");
        assert_eq!(much, PagePlace { view: Some(Tab::Charts), ..PagePlace::default() });
        assert_eq!(
            PagePlace::parse(&format!("log={}~{:032x}", "x".repeat(5_000), 1)).fragment().len(),
            4 + 60 + 1 + 32
        );
    }

    #[test]
    fn back_leads_to_other_tabs_logs_links_and_jobs_and_to_nothing_else() {
        let compare = at(trace("a"));
        let jobs = PagePlace { view: Some(Tab::Jobs), ..compare.clone() };
        let job = |number| PagePlace { job: Some(Picked { number, job: None }), ..jobs.clone() };
        let other = at(Source::Generated(Generated::Lublin { jobs: 10, processors: 4, seed: 1 }));
        let link = PagePlace { link: Some(LINK.to_owned()), ..PagePlace::default() };
        for (from, to) in [
            (&compare, &jobs),
            (&jobs, &job(1)),
            (&job(1), &job(2)),
            (&compare, &other),
            (&link, &compare),
            (&job(1), &compare),
        ] {
            assert_eq!(from.step_to(to), HistoryStep::Advance, "{from:?} {to:?}");
            if to.job.is_some() || from.job.is_none() {
                assert_eq!(to.step_to(to), HistoryStep::Stay);
            }
        }
        // lessons are pages of their own
        let learn = PagePlace { view: Some(Tab::Learn), ..compare.clone() };
        let lesson = PagePlace { lesson: Some("fcfs".to_owned()), ..learn.clone() };
        assert_eq!(learn.step_to(&lesson), HistoryStep::Advance);
        assert_eq!(lesson.step_to(&learn), HistoryStep::Advance);
        // a job that disappears by itself because the log was cleaned again, and an address without content
        assert_eq!(job(1).step_to(&jobs), HistoryStep::Rewrite);
        assert_eq!(PagePlace::default().step_to(&compare), HistoryStep::Rewrite);
        assert_eq!(PagePlace::default().step_to(&jobs), HistoryStep::Advance);
        // the same log under another name
        assert_eq!(compare.step_to(&at(trace("b"))), HistoryStep::Rewrite);
    }
}
