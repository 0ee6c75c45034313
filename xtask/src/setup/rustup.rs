//! Completes rustup's active toolchain by the source of `core`.

use std::process::Command;
use std::sync::Once;

use crate::process;
use crate::progress::Step;

/// Adds the source, some 50 MB on the disk, if rustup is here. It is tried once: where rustup cannot download, Debian's compiler
/// does.
pub(super) fn add_source() {
    static TRIED: Once = Once::new();
    TRIED.call_once(|| {
        if process::answer("rustup", &["show", "active-toolchain"]).is_some() {
            let step = Step::begin("set-up: rustup component add rust-src (some 50 MB)");
            let outcome = process::run(Command::new("rustup").args(["component", "add", "rust-src"]));
            step.end(if outcome.is_ok_and(|outcome| outcome.succeeded) { "added" } else { "failed" });
        }
    });
}
