//! The signals of which the page's state consists.

use crate::app::long_lived::LongLived;
use crate::app::prelude::*;

/// A signal that everybody may read, and that only the methods of [`super`] change.
///
/// Its functions are those of the signal, put in place, so that the page does not grow. It is no `ReadSignal`, for Leptos
/// stores each of these beside the signal, and frees none that an event handler makes.
pub struct Readable<T: 'static>(RwSignal<T>);

impl<T> Clone for Readable<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Readable<T> {}

impl<T: Send + Sync + 'static> Readable<T> {
    #[inline(always)]
    #[track_caller]
    pub(super) fn new(value: T) -> Self {
        Readable(RwSignal::new(value))
    }

    /// The signal itself, for what shows the value and changes it as well.
    #[inline(always)]
    pub(super) fn signal(self) -> RwSignal<T> {
        self.0
    }

    /// The value, while the result lives. Subscribes.
    #[inline(always)]
    #[track_caller]
    pub fn read(self) -> <RwSignal<T> as Read>::Value {
        self.0.read()
    }

    /// Reads from the value, and subscribes.
    #[inline(always)]
    #[track_caller]
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.0.with(read)
    }

    /// Reads from the value without a subscription.
    #[inline(always)]
    #[track_caller]
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.0.with_untracked(read)
    }

    /// Subscribes.
    #[inline(always)]
    #[track_caller]
    pub fn track(self) {
        self.0.track();
    }

    #[inline(always)]
    #[track_caller]
    pub(super) fn set(self, value: T) {
        self.0.set(value);
    }

    #[inline(always)]
    #[track_caller]
    pub(super) fn update(self, change: impl FnOnce(&mut T)) {
        self.0.update(change);
    }

    /// See [`LongLived::change`].
    #[inline(always)]
    pub(super) fn change(self, change: impl FnOnce(&mut T)) {
        self.0.change(change);
    }

    /// See [`LongLived::renew`].
    #[inline(always)]
    pub(super) fn renew(self, value: T) {
        self.0.renew(value);
    }

    /// See [`LongLived::forget_readers`].
    #[inline(always)]
    pub(super) fn forget_readers(self) {
        self.0.forget_readers();
    }
}

impl<T: Clone + Send + Sync + 'static> Readable<T> {
    /// A copy of the value. Subscribes.
    #[inline(always)]
    #[track_caller]
    pub fn get(self) -> T {
        self.0.get()
    }

    /// A copy of the value, without a subscription.
    #[inline(always)]
    #[track_caller]
    pub fn get_untracked(self) -> T {
        self.0.get_untracked()
    }
}
