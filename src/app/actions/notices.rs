//! Messages at the foot of the page.

use crate::app::prelude::*;
use crate::app::state::{App, Notice};
use gloo::timers::callback::Timeout;

/// How long a message without a fault stays, milliseconds: time to read it and to press "Undo".
const STAYS: u32 = 10_000;

impl App {
    /// Shows a message, which goes by itself.
    pub fn notify(self, message: impl Into<String>, undo: Option<Callback<()>>) {
        let id = self.show(message.into(), false, undo);
        Timeout::new(STAYS, move || self.dismiss(id)).forget();
    }

    /// Shows a message that something went wrong, which stays until it is dismissed.
    pub fn complain(self, message: impl Into<String>) {
        self.show(message.into(), true, None);
    }

    /// Takes a message away.
    pub fn dismiss(self, notice: u32) {
        self.notices.update(|notices| notices.retain(|n| n.id != notice));
    }

    fn show(self, message: String, is_error: bool, undo: Option<Callback<()>>) -> u32 {
        let id = self.with_engine(|engine| engine.number());
        self.notices.update(|notices| {
            notices.retain(|n| n.message != message);
            notices.push(Notice { id, message, is_error, undo });
        });
        id
    }
}
