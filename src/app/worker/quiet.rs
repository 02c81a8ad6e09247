//! When there is nothing to do: the time for what nobody waits for.

use super::simulate::now;
use gloo::timers::future::TimeoutFuture;
use std::cell::Cell;

thread_local! {
    /// Since when there is nothing to do; none while there is.
    static IDLE_SINCE: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Milliseconds without an order after which it is quiet: what a visit begins with is over then.
const QUIET: f64 = 1_000.0;

/// An order has come, and it is not quiet before [`rest`].
pub(super) fn interrupt() {
    IDLE_SINCE.set(None);
}

/// The order is carried out.
pub(super) fn rest() {
    IDLE_SINCE.set(Some(now()));
}

/// Waits until it is quiet.
pub(super) async fn quiet() {
    while !IDLE_SINCE.get().is_some_and(|since| now() - since > QUIET) {
        TimeoutFuture::new(QUIET as u32).await;
    }
}
