//! Messages at the foot of the page.

use crate::app::prelude::*;
use crate::app::state::{Act, App, Notice};
use std::sync::Arc;
use std::time::Duration;

/// How long a message without an error stays: long enough to read it and to press "Undo".
const STAYS: Duration = Duration::from_secs(10);

/// The largest number of actions that can be undone, one after the other.
const MOST_UNDONE: usize = 50;

impl App {
    /// Shows a message, which disappears after some seconds.
    pub fn notify(self, message: impl Into<String>, undo: Option<Act>) {
        let id = self.show(message.into(), false, undo);
        set_timeout(move || self.dismiss(id), STAYS);
    }

    /// Shows a message that something went wrong, which stays until it is dismissed.
    pub fn complain(self, message: impl Into<String>) {
        self.show(message.into(), true, None);
    }

    /// Shows an error message with a button that does something about it. That action reports its own failure.
    pub fn offer(
        self,
        message: impl Into<String>,
        label: &'static str,
        act: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) {
        let act = Arc::new(move || {
            if let Err(message) = act() {
                self.complain(message);
            }
        });
        let id = self.show(message.into(), true, Some(act));
        self.notices.update(|notices| {
            for notice in notices.iter_mut().filter(|notice| notice.id == id) {
                notice.label = label;
            }
        });
    }

    /// Undoes the last action that can be undone. Returns whether there was one.
    pub fn undo_last(self) -> bool {
        let Some((notice, undo)) = self.with_backend(|backend| backend.undoable.pop()) else { return false };
        undo();
        self.dismiss(notice);
        true
    }

    /// Undoes the action that a message reports.
    pub fn undo(self, notice: u32) {
        let taken = self.with_backend(|backend| {
            let place = backend.undoable.iter().position(|(id, _)| *id == notice)?;
            Some(backend.undoable.remove(place))
        });
        if let Some((_, undo)) = taken {
            undo();
        }
        self.dismiss(notice);
    }

    /// Removes a message.
    pub fn dismiss(self, notice: u32) {
        self.notices.update(|notices| notices.retain(|n| n.id != notice));
    }

    fn show(self, message: String, is_error: bool, undo: Option<Act>) -> u32 {
        let id = self.with_backend(|backend| backend.queue.number());
        if let Some(undo) = undo.clone().filter(|_| !is_error) {
            self.with_backend(|backend| {
                let all = &mut backend.undoable;
                all.push((id, undo));
                all.drain(..all.len().saturating_sub(MOST_UNDONE));
            });
        }
        self.notices.update(|notices| {
            notices.retain(|n| n.message != message);
            notices.push(Notice { id, message, is_error, label: "Undo", undo });
        });
        id
    }
}
