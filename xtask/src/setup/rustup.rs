//! Completes rustup's active toolchain by the source of `core`, and by targets.

use std::process::Command;
use std::sync::Once;

use super::Need;
use crate::process;
use crate::progress::Step;

/// Adds the source, some 50 MB on the disk, if rustup is here. It is tried once: where rustup cannot download, Debian's compiler
/// does.
pub(super) fn add_source() {
    static TRIED: Once = Once::new();
    TRIED.call_once(|| {
        add(["component", "add", "rust-src"], "some 50 MB");
    });
}

/// Adds the target, if that is what is needed and rustup is here.
pub(super) fn add_target_of(need: Need) {
    if let Need::Target(target) = need {
        add(["target", "add", target], "some 110 MB");
    }
}

fn add(what: [&str; 3], size: &str) {
    if process::answer("rustup", &["show", "active-toolchain"]).is_some() {
        let step = Step::begin(format!("set-up: rustup {} ({size})", what.join(" ")));
        let outcome = process::run(Command::new("rustup").args(what));
        step.end(if outcome.is_ok_and(|outcome| outcome.succeeded) { "added" } else { "failed" });
    }
}
