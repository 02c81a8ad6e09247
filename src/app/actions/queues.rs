//! The queue of a moment, put beside the log of its cluster.

use super::LARGEST_BESIDE;
use super::asked::bytes;
use crate::app::prelude::*;
use crate::app::state::{App, LogState, Tab};
use crate::app::when;
use crate::run_queue::LogExtras;
use packfair_study::Source;
use packfair_workload::{printable, read_queue};
use web_sys::File;

impl App {
    /// Puts a queue beside the open log, which is then read again, and shows when its jobs start. Without a log of a
    /// cluster, the queue waits for the next one.
    #[inline(never)]
    pub async fn take_queue(self, file: File) {
        if !self.hold_queue(file).await {
            return;
        }
        let is_of_cluster = self.study.with_untracked(|study| matches!(study.source, Source::Trace { .. }))
            && matches!(self.log.get_untracked(), LogState::Ready(_));
        if !is_of_cluster {
            let message = "Read. Drop the log of this cluster now, as sacct prints it: it tells how long jobs run.";
            return self.notify(message.to_owned(), None);
        }
        let queue = self.with_backend(|backend| backend.queue_given.take());
        self.read_beside(|beside| beside.queue = queue);
        when::look_at_queue();
        self.show_tab(Tab::When);
    }

    /// Reads a queue and keeps it for the next log. Returns whether it is one; if not, the user is told.
    pub(super) async fn hold_queue(self, file: File) -> bool {
        let name = printable(&file.name());
        let Some(content) = bytes(&file, LARGEST_BESIDE).await.filter(|_| file.size() <= LARGEST_BESIDE) else {
            self.complain(format!("{name} cannot be read, or is too large for a queue."));
            return false;
        };
        if let Err(error) = read_queue(&content) {
            self.complain(format!("{name}: {error}."));
            return false;
        }
        self.with_backend(|backend| backend.queue_given = Some((name, content)));
        true
    }

    /// Removes the queue from the open log.
    #[inline(never)]
    pub fn drop_queue(self) {
        self.read_beside(|beside| beside.queue = None);
    }

    /// Reads the open log again, with other things beside it.
    fn read_beside(self, change: impl FnOnce(&mut LogExtras)) {
        let Some((origin, beside)) = self.with_backend(|backend| backend.queue.open_origin()) else { return };
        let mut beside = beside.decode().unwrap_or_default();
        change(&mut beside);
        let name = self.study.with_untracked(|study| study.source.name());
        self.begin(name, origin, beside.encoded());
    }
}
