//! Words that a thread and the interrupt on its CPU share. Neither sees one half written.

pub(crate) mod atomic;
mod word;

pub use word::Word;
pub(crate) use word::{Cell, Changes, SharedSet, fence};
