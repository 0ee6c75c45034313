//! The 32-bit PowerPC drivers by themselves: what they refuse, and what they say is in the way.

mod classic;
mod detecting;
mod embedded;
mod memory;
mod names;
