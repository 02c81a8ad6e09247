//! Scripts that came with a link or a file. They are shown to the user, and run only with the user's consent.

use crate::app::prelude::*;
use crate::app::state::{Act, App};
use crate::app::widget::Modal;
use crate::catalogue::Script;
use crate::study::Study;
use std::cell::RefCell;

thread_local! {
    /// Scripts that may run: those written here, and those to which the user has consented. Each is kept once, so that
    /// its address identifies it.
    static TRUSTED: RefCell<Vec<&'static Script>> = const { RefCell::new(Vec::new()) };
}

/// Scripts about which the user is asked whether they may run.
#[derive(Clone)]
pub struct OfferedScripts {
    /// The scripts.
    pub scripts: Vec<&'static Script>,
    /// Opens the study that contains the scripts.
    pub accept: Act,
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
}

/// The dialog that shows other people's scripts and asks before they run.
#[component]
pub fn ScriptConsent() -> impl IntoView {
    let app = expect_context::<App>();
    view! { <Modal open=app.offers title="Run these scripts?">{contents()}</Modal> }
}

// most of the dialog: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents() -> AnyView {
    let app = expect_context::<App>();
    let accept = move |_| {
        app.offers.set(false);
        if let Some(OfferedScripts { scripts, accept }) = app.offered.get_untracked() {
            TRUSTED.with_borrow_mut(|trusted| trusted.extend(scripts));
            app.offered.set(None);
            accept();
        }
    };
    let decline = move |_| {
        app.offers.set(false);
        app.offered.set(None);
    };
    let list = move || {
        let offered = app.offered.get().map(|offered| offered.scripts).unwrap_or_default();
        offered.into_iter().map(shown).collect_view()
    };
    view! {
        <p>
            "What you are opening has a scheduler that somebody wrote as a script. It runs here, in a worker, and sees only the jobs of the log: not the page, the network or what is stored. It may take long, or be wrong."
        </p>
        <div class="script-shown" data-testid="offered-scripts">{move || list()}</div>
        <div class="row">
            <button class="button button-accent" type="button" data-testid="accept-scripts" on:click=accept>
                "Open and run"
            </button>
            <button class="button" type="button" data-testid="decline-scripts" on:click=decline>
                "Do not open"
            </button>
        </div>
    }
}

fn shown(script: &'static Script) -> AnyView {
    view! {
        <h3>{script.name()}</h3>
        <pre class="script-text" tabindex="0" aria-label=format!("The script {}", script.name())>
            {script.text()}
        </pre>
    }
}
