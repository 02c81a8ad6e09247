//! What the views keep while another view is shown.

use super::jobs::JobsChoice;
use super::verification::Verifications;
use crate::app::prelude::*;
use crate::app::state::App;

/// Choices and answers that outlive their view.
#[derive(Clone, Copy)]
pub struct Memory {
    /// The choices of the Jobs tab.
    pub jobs: JobsChoice,
    /// The checks of schedules.
    pub verifications: Verifications,
}

impl Memory {
    /// Provides the memory to everything below the calling component. To be called once, above the tabs.
    pub fn provide() {
        provide_context(Memory::new());
    }

    /// The page's memory. If none was provided, as in tests, a new one that lasts as long as the view.
    pub fn of_page() -> Self {
        use_context().unwrap_or_else(Memory::new)
    }

    fn new() -> Self {
        Memory { jobs: JobsChoice::new(), verifications: Verifications::new(expect_context::<App>()) }
    }
}
