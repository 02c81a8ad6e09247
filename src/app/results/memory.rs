//! What the views remember while another one is shown.

use super::jobs::JobsChoice;
use super::verification::Verifications;
use crate::app::prelude::*;
use crate::app::state::App;

/// Choices and answers that outlive the view they belong to.
#[derive(Clone, Copy)]
pub struct Memory {
    /// What the Jobs tab shows.
    pub jobs: JobsChoice,
    /// Checks of schedules.
    pub verifications: Verifications,
}

impl Memory {
    /// Makes it for everything below the calling component: to be called once, above the tabs.
    pub fn provide() {
        provide_context(Memory::new());
    }

    /// The page's memory. Where the page has none, as in tests, one that lasts as long as the view.
    pub fn of_page() -> Self {
        use_context().unwrap_or_else(Memory::new)
    }

    fn new() -> Self {
        Memory { jobs: JobsChoice::new(), verifications: Verifications::new(expect_context::<App>()) }
    }
}
