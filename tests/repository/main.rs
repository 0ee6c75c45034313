//! What must hold of the repository's text: its layers, its documents, its guides, its threat model, and the compiler that
//! it asks for.

mod checklist;
mod compiler;
mod dispatch;
mod documents;
mod kernel_guide;
mod layering;
mod seeds;
mod tables;
mod threats;

use std::path::Path;

/// The repository's root.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
