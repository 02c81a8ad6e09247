//! Links carry a study and its numbers exactly and stay short. A bad link is refused with a sentence.

mod carried;
mod noise;
mod refused;
mod room;
