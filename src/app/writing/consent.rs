//! Scripts that came with a link or a file. They are shown to the user, and run only with the user's consent.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Modal;
use packfair_base::catalogue::Script;

/// The dialog that shows other people's scripts and asks before they run.
#[component]
pub fn ScriptConsent() -> impl IntoView {
    let app = expect_context::<App>();
    view! { <Modal open=app.scripts_dialog() title="Run these scripts?">{contents()}</Modal> }
}

// most of the dialog: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents() -> AnyView {
    let app = expect_context::<App>();
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
            <button
                class="button button-accent"
                type="button"
                data-testid="accept-scripts"
                on:click=move |_| app.accept_scripts()
            >
                "Open and run"
            </button>
            <button
                class="button"
                type="button"
                data-testid="decline-scripts"
                on:click=move |_| app.decline_scripts()
            >
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
