//! What a claim saves and a release restores of a unit each of whose counters has a control of its own.

use crate::contract::Registers;
use crate::event::{CounterId, CounterSet};
use crate::sync::Cell;

/// The contents of `N` counters, a power of two, and of their controls. A pending overflow is in its counter's top bit, and is
/// restored with it.
#[derive(Debug)]
pub struct Saved<const N: usize> {
    controls: [Cell; N],
    counters: [Cell; N],
}

impl<const N: usize> Saved<N> {
    pub(crate) const fn nothing() -> Self {
        Self { controls: [const { Cell::new(0) }; N], counters: [const { Cell::new(0) }; N] }
    }

    /// Stops every counter by a control of 0, saves its registers, and clears them. `at` returns the addresses of a counter's
    /// control and of the counter.
    pub(crate) fn save<R: Registers>(
        &self,
        registers: &R,
        counters: CounterSet,
        at: impl Fn(CounterId) -> [R::Address; 2],
    ) {
        for id in counters {
            let [control, counter] = at(id);
            let [saved_control, saved_counter] = self.cells(id);
            saved_control.set(registers.read(control));
            registers.write(control, 0);
            saved_counter.set(registers.read(counter));
            registers.write(counter, 0);
        }
    }

    /// Restores the saved state, and of a control the bits in `writable`. Nothing counts before its value is restored.
    pub(crate) fn restore<R: Registers>(
        &self,
        registers: &R,
        counters: CounterSet,
        writable: u64,
        at: impl Fn(CounterId) -> [R::Address; 2],
    ) {
        for [control, _] in counters.into_iter().map(&at) {
            registers.write(control, 0);
        }
        for id in counters {
            let [control, counter] = at(id);
            let [saved_control, saved_counter] = self.cells(id);
            registers.write(counter, saved_counter.get());
            registers.write(control, saved_control.get() & writable);
        }
    }

    fn cells(&self, id: CounterId) -> [&Cell; 2] {
        const { assert!(N.is_power_of_two()) };
        let at = usize::from(id.number()) & (N - 1);
        [&self.controls[at], &self.counters[at]]
    }
}
