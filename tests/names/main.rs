//! Events by name: the processors' catalogues, the notations, and perfex.

mod catalogues;
mod libperfex;
mod notation;
mod parsed;
mod perfex;
mod perfex_on_mips;
mod perfex_threads;
mod skylake;
#[path = "../support/mod.rs"]
mod support;
