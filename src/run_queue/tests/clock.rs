//! Tests with a clock that jumps, as when a laptop sleeps: nothing waits for it, and the remaining time stays sensible.

use super::*;
use packfair_study::sureness::Repeats;

const HOURS: f64 = 5.0 * 3_600e3;

/// The time to which the page's clock jumps before a run has made any progress.
const JUMPS: [f64; 5] = [HOURS, -HOURS, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

impl Page {
    /// The remaining time of a run under way, seconds.
    fn left(&self, of: &Run) -> Option<f64> {
        let Status::Running { left, .. } = self.status(of) else { panic!("it is {:?}", self.status(of)) };
        left
    }

    fn progress(&mut self, of: &Run, completed: usize) {
        let (worker, ticket) = self.told_to_run(of);
        self.say(worker, FromWorker::Progress { ticket, completed, jobs: 4_000, spent: 0.1 });
    }
}

fn is_a_time(seconds: Option<f64>) -> bool {
    seconds.is_none_or(|seconds| seconds.is_finite() && seconds >= 0.0)
}

#[test]
fn runs_end_and_what_is_left_of_them_is_a_time() {
    for jump in JUMPS {
        let mut page = Page::running(study());
        page.progress(&run("easy"), 1_000);
        page.now += jump;
        for completed in [0, 1_000, 2_000, 3_000] {
            page.progress(&run("easy"), completed);
            assert!(is_a_time(page.left(&run("easy"))), "{jump}: {:?}", page.left(&run("easy")));
        }
        page.progress(&run("easy"), 4_000);
        assert_eq!(page.status(&run("easy")), Status::Measuring);
        for scheduler in ["easy", "justbf", "saf-justbf"] {
            page.finish(&run(scheduler));
        }
        assert!(page.queue.rows().iter().all(|row| row.status == Status::Done), "{jump}");
        assert!(page.queue.is_idle());
        // the speed learnt from the run tells how long the next one takes, so that it starts by itself as usual
        page.change_study(|study| study.schedulers.push("fcfs".parse().unwrap()));
        page.finish(&page.study.runs()[3].clone());
        assert!(page.queue.is_idle(), "{jump}");
    }
}

#[test]
fn what_is_left_goes_by_the_workers_seconds_and_not_by_a_clock_that_went_back() {
    let mut page = Page::running(study());
    page.progress(&run("easy"), 500);
    page.now -= HOURS;
    page.progress(&run("easy"), 1_000);
    let before = page.left(&run("easy")).unwrap();
    page.now += 1_000.0;
    page.progress(&run("easy"), 1_000);
    let after = page.left(&run("easy")).unwrap();
    assert_eq!(before, after, "the worker said nothing of more seconds");
}

#[test]
fn fair_starts_and_repeats_go_on() {
    for jump in JUMPS {
        let mut page = Page::ended();
        page.tell(Event::FairStartsWanted(run("easy")));
        let parts: Vec<(Ticket, WorkerId)> =
            page.queue.running.iter().map(|(&of, &(_, worker))| (of, worker)).collect();
        page.now += jump;
        for (ticket, worker) in parts {
            page.say(worker, FromWorker::Progress { ticket, completed: 500, jobs: 1_000, spent: 0.1 });
            assert!(is_a_time(page.left(&run("easy"))), "{jump}");
        }
        let mut page = Page::ended();
        page.change_study(|study| study.repeats = Some(Repeats::of(20)));
        page.tell(Event::RepeatsWanted(None));
        page.now += jump;
        let shown = |page: &Page| page.orders.iter().filter(|order| **order == QueueOrder::ShowRepeats).count();
        let before = shown(&page);
        for repeat in 0..20 {
            page.now += 500.0;
            page.repeat(repeat);
            assert!(is_a_time(page.queue.repeats().unwrap().left), "{jump}");
        }
        assert!(shown(&page) >= before + 19 || !jump.is_finite(), "{jump}: they are shown as they come");
        assert!(!page.queue.repeats().unwrap().goes_on);
    }
}
