//! The 32-bit PowerPC drivers without a unit: the requests that they refuse, and the conflicts that they report.

mod classic;
mod detecting;
mod embedded;
mod names;
