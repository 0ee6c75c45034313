//! What must hold of the repository's text: its layers, its guides, and its threat model.

mod kernel_guide;
mod layering;
mod seeds;
mod threats;
