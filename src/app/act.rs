//! Actions that are kept until the user asks for them.

use std::sync::Arc;

/// The action of a message's button. It is freed with its message; a `Callback` made in an event handler never is.
pub type Act = Arc<dyn Fn() + Send + Sync>;
