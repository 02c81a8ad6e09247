//! Tests of forecasts: one at a time, news of it alone is passed on, and it fails with its worker.

use super::*;
use crate::run_queue::protocol::ForecastNews;

fn wanted(question: Ticket) -> Event<String> {
    Event::ForecastWanted { question, task: Encoded::default() }
}

fn news(ticket: Ticket, is_last: bool) -> FromWorker {
    FromWorker::Forecast { ticket, news: Encoded::of(&ForecastNews::default()), is_last }
}

impl Page {
    /// Of each news that the page heard: its question, and whether it is an error.
    fn heard(&self) -> Vec<(Ticket, bool)> {
        let heard = |order: &QueueOrder<String>| match order {
            QueueOrder::TellForecast { question, news } => Some((*question, news.is_err())),
            _ => None,
        };
        self.orders.iter().filter_map(heard).collect()
    }
}

#[test]
fn a_new_forecast_replaces_the_one_under_way() {
    let mut page = Page::ended();
    page.tell(wanted(900));
    assert_eq!(page.said(), ["0: forecast"]);
    page.say(0, news(900, false));
    page.tell(wanted(901));
    assert_eq!(page.said(), ["0: cancel", "0: forecast"]);
    page.say(0, news(900, false));
    page.say(0, FromWorker::Cancelled { ticket: 900 });
    page.say(0, news(901, false));
    page.say(0, news(901, true));
    assert_eq!(page.heard(), [(900, false), (901, false), (901, false)]);
    page.tell(Event::ForecastStopped);
    assert_eq!(page.said(), Vec::<String>::new(), "it has ended");
}

#[test]
fn a_forecast_that_fails_says_so_once() {
    let mut page = Page::ended();
    page.tell(wanted(900));
    page.say(0, FromWorker::Failed { ticket: 900, message: "Nobody waits.".to_owned() });
    page.tell(wanted(901));
    page.tell(Event::Died { worker: 0, message: "It ran out of memory.".to_owned() });
    assert_eq!(page.heard(), [(900, true), (901, true)]);
    page.tell(wanted(902));
    assert!(page.said().iter().any(|said| said.ends_with(": forecast")), "another worker makes the next");
}

#[test]
fn without_a_log_there_is_no_forecast() {
    let mut page = Page::new(study());
    page.tell(wanted(900));
    assert_eq!(page.heard(), [(900, true)]);
}
