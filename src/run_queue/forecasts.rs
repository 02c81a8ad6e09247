//! Forecasts of when waiting jobs start, which the log worker makes: it has the log, and not only a workload.

use super::encoded::Encoded;
use super::measurings::NOT_LOADED;
use super::protocol::{ForecastNews, ForecastTask, Ticket, ToWorker};
use super::{QueueOrder, RunQueue};

impl<B: Clone> RunQueue<B> {
    /// Asks for a forecast of the open log. One under way is stopped.
    #[inline(never)]
    pub(super) fn forecast(&mut self, question: Ticket, asked: Encoded<ForecastTask>) {
        self.stop_forecast();
        let Some(log) = self.open.as_ref().map(|open| open.id) else {
            return self.order(QueueOrder::TellForecast { question, news: Err(NOT_LOADED.to_owned()) });
        };
        let (worker, treatment) = (self.log_worker(), self.treatment_asked());
        self.give_log(worker, log);
        self.forecasting = Some(question);
        self.send(worker, ToWorker::Forecast { ticket: question, log, treatment, asked });
    }

    /// Stops the forecast under way, if there is one.
    #[inline(never)]
    pub(super) fn stop_forecast(&mut self) {
        if let Some(ticket) = self.forecasting.take() {
            let worker = self.log_worker();
            self.send(worker, ToWorker::Cancel { ticket });
        }
    }

    /// Passes on news of the forecast under way; none of one that was stopped.
    #[inline(never)]
    pub(super) fn tell_forecast(&mut self, ticket: Ticket, news: Result<Encoded<ForecastNews>, String>, is_last: bool) {
        if self.forecasting == Some(ticket) {
            self.forecasting.take_if(|_| is_last);
            self.order(QueueOrder::TellForecast { question: ticket, news });
        }
    }
}
