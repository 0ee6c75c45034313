//! A start that never ends, because a panic interrupts it: the PowerPC units whose start is left alone by the handler.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pmu::arch::powerpc::book3s::{self, Book3s, Model, Privilege};
use pmu::arch::powerpc::classic::{self, Classic};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::driver::{Driver, Registers};
use pmu::{Event, Unit};

use crate::power64::{pvr, spr};
use crate::support::memory::Memory;
use crate::support::registers;

/// Registers of a kernel that ends at one of its writes.
struct Ending {
    memory: Memory<Spr>,
    /// How many writes come before it; `None` if none is due.
    before: Cell<Option<u32>>,
}

impl Registers for Ending {
    type Address = Spr;
    type Index = Spr;

    registers::without_clock!();

    fn read(&self, at: Spr) -> u64 {
        self.memory.read(at)
    }

    fn write(&self, at: Spr, value: u64) {
        let before = self.before.take();
        assert_ne!(before, Some(0), "the kernel ends here");
        self.before.set(before.map(|before| before - 1));
        self.memory.write(at, value);
    }

    fn read_counter(&self, index: Spr) -> u64 {
        self.memory.read(index)
    }
}

/// MMCR0 has this number; its bit 31 freezes all counters.
fn counts_under_the_next_claim<D: Driver>(make: impl Fn(&'static Ending) -> D, mmcr0: u16) {
    let mut ended = 0;
    for before in 0..8 {
        let registers: &Ending = Box::leak(Box::new(Ending { memory: Memory::new(), before: Cell::new(None) }));
        let unit: &Unit<D, 0> = Box::leak(Box::new(Unit::new()));
        let pmu = unit.claim(make(registers)).unwrap();
        let mut session = pmu.open([Event::CYCLES]).unwrap();
        registers.before.set(Some(before));
        ended += u32::from(catch_unwind(AssertUnwindSafe(|| session.start())).is_err());
        registers.before.set(None);
        unit.halt();
        pmu.revoke().unwrap();
        let pmu = unit.claim(make(registers)).unwrap();
        let mut next = pmu.open([Event::CYCLES]).unwrap();
        next.start().unwrap();
        assert_eq!(registers.memory.read(spr(mmcr0)) & 1 << 31, 0, "{before} writes before the end");
    }
    assert!((2..8).contains(&ended), "a start has {ended} writes");
}

#[test]
fn a_book3s_unit_whose_start_never_ended_counts_under_the_next_claim() {
    let capabilities = book3s::Capabilities::discover(pvr(Model::Power9), Privilege::Supervisor).unwrap();
    counts_under_the_next_claim(|registers| Book3s::new(registers, capabilities), 795);
}

#[test]
fn a_classic_unit_whose_start_never_ended_counts_under_the_next_claim() {
    let capabilities = classic::Capabilities::discover(Pvr::from_bits(0x8000_0201)).unwrap();
    counts_under_the_next_claim(|registers| Classic::new(registers, capabilities), 952);
}
