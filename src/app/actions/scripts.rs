//! Scripts that came with a link or a file: they run only with the user's consent.

use crate::app::prelude::*;
use crate::app::questions::OfferedScripts;
use crate::app::state::{Act, App};
use packfair_base::catalogue::Script;
use packfair_study::Study;
use std::cell::RefCell;

thread_local! {
    /// Scripts that may run: those written here, and those to which the user has consented. Each is kept once, so that
    /// its address identifies it.
    static TRUSTED: RefCell<Vec<&'static Script>> = const { RefCell::new(Vec::new()) };
}

fn scripts_of(study: &Study) -> impl Iterator<Item = &'static Script> + '_ {
    study.schedulers.iter().filter_map(|policy| policy.settings().script())
}

impl App {
    /// Opens a study from elsewhere by calling `open`. If it has scripts that are not trusted yet, the user is asked
    /// first. Returns whether the study was opened at once.
    pub fn open_with_scripts(self, study: &Study, open: Act) -> bool {
        if scripts_of(study).next().is_none() {
            open();
            return true;
        }
        self.ask_for_scripts(study, open)
    }

    #[inline(never)]
    fn ask_for_scripts(self, study: &Study, open: Act) -> bool {
        let own: Vec<&Script> = self.study.with_untracked(|own| scripts_of(own).collect());
        let is_known = |script: &&'static Script| {
            own.iter().any(|own| std::ptr::eq(*own, *script)) || TRUSTED.with_borrow(|trusted| trusted.contains(script))
        };
        let mut unknown: Vec<&'static Script> = scripts_of(study).filter(|script| !is_known(script)).collect();
        unknown.dedup();
        if unknown.is_empty() {
            open();
            return true;
        }
        self.offered.set(Some(OfferedScripts { scripts: unknown, accept: open }));
        self.offers.set(true);
        false
    }

    /// Whether the dialog that asks about the scripts is shown. Closing it resets this.
    #[inline(always)]
    pub fn scripts_dialog(self) -> RwSignal<bool> {
        self.offers
    }

    /// Trusts the scripts about which the user was asked, and opens their study.
    pub fn accept_scripts(self) {
        self.offers.set(false);
        if let Some(OfferedScripts { scripts, accept }) = self.offered.get_untracked() {
            TRUSTED.with_borrow_mut(|trusted| trusted.extend(scripts));
            self.offered.set(None);
            accept();
        }
    }

    /// Leaves the study of the scripts unopened.
    pub fn decline_scripts(self) {
        self.offers.set(false);
        self.offered.set(None);
    }
}
