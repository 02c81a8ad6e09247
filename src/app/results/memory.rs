//! What the views keep while another view is shown.

use super::jobs::JobsChoice;
use crate::app::prelude::*;

/// Choices that outlive their view.
#[derive(Clone, Copy)]
pub struct Memory {
    pub jobs: JobsChoice,
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
        Memory { jobs: JobsChoice::new() }
    }
}
