//! Questions about schedules.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::run_queue::Event;
use crate::run_queue::protocol::Ticket;
use futures_channel::oneshot;
use packfair_study::query::{Answer, Query};
use packfair_study::{Rules, Run};

impl App {
    /// Asks about schedules; the answer comes from a worker.
    ///
    /// # Errors
    /// A message for the user: there is no result yet, or the log is not loaded.
    pub async fn ask(self, query: Query) -> Result<Answer, String> {
        let question = self.with_backend(|backend| backend.queue.number());
        self.ask_as(question, query).await
    }

    /// Asks as [`App::ask`] does, by a number of the queue's that nobody has used, by which the question can be withdrawn.
    ///
    /// # Errors
    /// As [`App::ask`].
    pub async fn ask_as(self, question: Ticket, query: Query) -> Result<Answer, String> {
        let (sender, receiver) = oneshot::channel();
        self.with_backend(|backend| backend.questions.insert(question, sender));
        self.tell(Event::Queried { question, query });
        receiver.await.unwrap_or_else(|_| Err("The question was lost. Ask again.".to_owned()))
    }

    /// The rules with which the schedule of a run was made; `None` if the run has no result.
    pub fn rules_of(self, run: &Run) -> Option<Rules> {
        let rules = |row: &crate::app::state::RunRow| row.result.as_ref().map(|result| result.settings.rules);
        self.rows.with(|rows| rows.iter().find(|row| row.run == *run).and_then(rules))
    }
}
