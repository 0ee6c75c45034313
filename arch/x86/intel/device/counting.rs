//! Which of Intel's counters count, what they count, and how far: what [`Counting`] is built on.

use core::cell::Cell;

use super::feed::{self, Feed};
use super::{Device, FixedControl, GlobalStatus, Select};
use crate::arch::x86::device::{self, Counter, Counting};
use crate::arch::x86::intel::AuxiliaryRegister;
use crate::arch::x86::intel::sharing::TAKEN;
use crate::event::{CounterId, CounterSet, Event, Flag, Mode, Request};
use crate::virt::{self, Decode, Selected, Source, Table, Trigger};

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        self.limits.counters()
    }

    fn decode(&self, id: CounterId) -> Selected {
        match self.select(id) {
            Some(select) => Selected {
                modes: device::modes(select.bits()),
                source: Source::of_known(self.feed.kind(select)),
                interrupts: select.contains(Select::INTERRUPT),
            },
            None => {
                let control = self.fixed_control(id);
                Selected {
                    modes: feed::modes_of_fixed(control),
                    source: Source::of_known(Feed::kind_of_fixed(id)),
                    interrupts: control.contains(FixedControl::INTERRUPT),
                }
            }
        }
    }

    fn keep(&self, id: CounterId) {
        let needed = self.select(id).and_then(|select| self.limits.auxiliary(select.code()));
        for (beside, needing) in AuxiliaryRegister::ALL.into_iter().zip(&self.needing) {
            virt::put(needing, id, needed == Some(beside));
        }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        let all = self.limits.counters();
        let all = if self.is_short_of_one() { all.without(TAKEN) } else { all };
        let status = GlobalStatus::from_bits_retain(self.global_status.get());
        match self.limits.has_global() {
            false => all,
            true if status.contains(GlobalStatus::COUNTERS_FROZEN) => CounterSet::EMPTY,
            true => all.and(CounterSet::from_bits(self.global_control.get())),
        }
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.select(id).map_or_else(|| self.fixed_control(id).bits(), |select| select.bits())
    }

    fn is_fixed(&self, id: CounterId) -> bool {
        self.select(id).is_none()
    }

    fn request(&self, id: CounterId) -> Option<Request> {
        match self.select(id) {
            Some(select) => self.request_of(select),
            None if self.fixed_control(id).contains(FixedControl::ANY_THREAD) => None,
            None => feed::event_of_fixed(id).map(Request::new),
        }
    }
}

impl<T: Trigger> Counting for Device<T> {
    #[inline(always)]
    fn counter(&self, id: CounterId) -> Option<&Counter> {
        Some(self.numbered(id.index()))
    }

    fn wrap(&self, id: CounterId, events: u64) -> bool {
        self.numbered(id.index()).wrap(events, self.limits.mask(id));
        true
    }

    #[inline(always)]
    fn tick(&self, cycles: u64) {
        self.ticks.set(self.ticks.get().wrapping_add(cycles));
    }

    fn note(&self, overflowed: CounterSet) {
        if self.limits.has_global() {
            self.global_status.set(self.global_status.get() | overflowed.bits());
        }
    }

    fn pull(&self) {
        self.freeze();
        self.line.interrupt();
    }
}

impl<T> Device<T> {
    /// Returns the request for what a general counter selects. An event with an auxiliary register has its value.
    fn request_of(&self, select: Select) -> Option<Request> {
        let needed = self.limits.auxiliary(select.code()).and_then(|beside| self.beside.get(beside as usize));
        let event = Event::raw_with(select.code(), needed.map_or(0, Cell::get));
        let request = device::request_of(event, select.bits());
        match select.contains(Select::EQUAL) {
            _ if select.contains(Select::ANY_THREAD) => None,
            true => Some(request.flag(Flag::Equal)),
            false => Some(request),
        }
    }
}
