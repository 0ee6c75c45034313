//! Every order in which a thread, the interrupt on its CPU and another CPU can come, tried by loom.
//!
//! `cargo xtask test --only interleavings` runs them; they are part of the library's own tests, built
//! with `--cfg loom`, because that replaces the library's atomics.

mod abroad;
mod generation;
mod page;
mod ring;
mod toy;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom::model::Builder;

/// The maximum number of preemptions. An interrupt comes once and runs to its end, so more would add no orders.
const INTERRUPTIONS: usize = 2;

/// Runs a thread and what interrupts it on its CPU through all orders.
pub(crate) fn in_every_order_on_a_cpu(model: impl Fn() + Sync + Send + 'static) {
    explore(Some(INTERRUPTIONS), model);
}

/// Runs threads on CPUs of their own through all orders.
pub(crate) fn in_every_order(model: impl Fn() + Sync + Send + 'static) {
    explore(None, model);
}

/// There must be several orders: one alone would have shown nothing.
fn explore(preemptions: Option<usize>, model: impl Fn() + Sync + Send + 'static) {
    let orders = Arc::new(AtomicUsize::new(0));
    let count = orders.clone();
    let mut explorer = Builder::new();
    (explorer.preemption_bound, explorer.max_branches) = (preemptions, 20_000);
    explorer.check(move || {
        count.fetch_add(1, Ordering::Relaxed);
        model();
    });
    let tried = orders.load(Ordering::Relaxed);
    assert!(tried > 1, "there was nothing to interleave");
    println!("{tried} orders");
}
