//! An overflow interrupt amid a start or a stop.

use std::cell::Cell;

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Book3s, Capabilities, Generation, Privilege};
use pmu::driver::Registers;
use pmu::{Event, Handled, Interrupted, Mode, Request, Unit};

use crate::power64::{pvr, spr};
use crate::support::memory::Memory;
use crate::support::registers;

const MMCR0: u16 = 795;
const MMCR1: u16 = 798;
const PMC1: u16 = 787;
/// MMCR0's bit that freezes all counters.
const FC: u64 = 1 << 31;
/// MMCR0's bit for an alert that has occurred.
const PMAO: u64 = 1 << 7;
const POWER7: Generation = Generation::Power7;
const POWER9: Generation = Generation::Power9;

/// Registers of a POWER7 whose overflow interrupt comes right after MMCR0 was read.
struct Interrupted7 {
    memory: Memory<Spr>,
    unit: Unit<Book3s<&'static Self>, 16>,
    is_pending: Cell<bool>,
}

impl Registers for Interrupted7 {
    type Address = Spr;
    type Index = Spr;

    registers::without_clock!();

    fn read(&self, at: Spr) -> u64 {
        let value = self.memory.read(at);
        if at == spr(MMCR0) && self.is_pending.take() {
            assert_eq!(self.unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)), Handled::Overflow);
            // The interrupted code goes on, and is counted.
            self.memory.write(spr(PMC1), self.memory.read(spr(PMC1)) + 10);
        }
        value
    }

    fn write(&self, at: Spr, value: u64) {
        self.memory.write(at, value);
    }

    fn read_counter(&self, index: Spr) -> u64 {
        self.memory.read(index)
    }
}

/// The next overflow is nearer than what speculation takes back, but it was not the one that alerted.
#[test]
fn an_alert_of_power7_that_an_nmi_serves_while_a_stop_reads_it_is_served_once() {
    let registers: &'static Interrupted7 =
        Box::leak(Box::new(Interrupted7 { memory: Memory::new(), unit: Unit::new(), is_pending: Cell::new(false) }));
    let capabilities = Capabilities::discover(pvr(POWER7), Privilege::Supervisor).unwrap();
    let pmu = registers.unit.claim(Book3s::new(registers, capabilities)).unwrap();
    let mut session = pmu.open([Request::new(Event::raw(0x1_0002)).every(256)]).unwrap();
    session.start().unwrap();
    registers.memory.write(spr(PMC1), 0x8000_0000 - 1);
    registers.memory.write(spr(MMCR0), PMAO);
    registers.is_pending.set(true);
    session.stop().unwrap();
    let lost = registers.unit.samples().unwrap().lost().total();
    assert_eq!((session.read().unwrap(), lost), ([265], 1), "one overflow, amid a stop");
}

/// Registers of a POWER9 whose first counter overflows before one of the writes.
struct Interrupted9 {
    memory: Memory<Spr>,
    unit: Unit<Book3s<&'static Self>, 16>,
    /// How many writes come before it; `None` if none is due.
    before: Cell<Option<u32>>,
    /// How often a control register other than MMCR0 was written while the unit counted.
    unfrozen: Cell<u32>,
}

impl Registers for Interrupted9 {
    type Address = Spr;
    type Index = Spr;

    registers::without_clock!();

    fn read(&self, at: Spr) -> u64 {
        self.memory.read(at)
    }

    fn write(&self, at: Spr, value: u64) {
        if let Some(before) = self.before.take() {
            self.before.set(before.checked_sub(1));
            if before == 0 {
                self.memory.write(spr(PMC1), 0x8000_0000);
                assert_eq!(self.unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)), Handled::Overflow);
            }
        }
        let is_control = [MMCR1, 786, 785, 754].map(spr).contains(&at);
        if is_control && self.memory.read(spr(MMCR0)) & FC == 0 {
            self.unfrozen.set(self.unfrozen.get() + 1);
        }
        self.memory.write(at, value);
    }

    fn read_counter(&self, index: Spr) -> u64 {
        self.memory.read(index)
    }
}

/// The handler ends a counter and runs the others. Of the start's writes the one that it came before follows, and no other.
#[test]
fn an_nmi_amid_a_start_leaves_at_most_one_write_of_a_selector_while_the_unit_counts() {
    let mut ended = 0;
    for before in 0..20 {
        let registers: &'static Interrupted9 = Box::leak(Box::new(Interrupted9 {
            memory: Memory::new(),
            unit: Unit::new(),
            before: Cell::new(None),
            unfrozen: Cell::new(0),
        }));
        let capabilities = Capabilities::discover(pvr(POWER9), Privilege::Supervisor).unwrap();
        let pmu = registers.unit.claim(Book3s::new(registers, capabilities)).unwrap();
        let mut once = pmu.open([Request::new(Event::raw(0x1_0002)).once_after(5000)]).unwrap();
        let mut others = [0x2_001E, 0x3_001E].map(|code| pmu.open([Event::raw(code)]).unwrap());
        once.start().unwrap();
        others[0].start().unwrap();
        registers.before.set(Some(before));
        others[1].start().unwrap();
        let has_come = registers.before.take().is_none();
        ended += u32::from(has_come);
        assert_eq!(once.has_ended(0), has_come);
        assert!(
            registers.unfrozen.get() <= 1,
            "{before} writes before it: {} while it counts",
            registers.unfrozen.get()
        );
        let selected = if has_come { 0x001E_1E00 } else { 0x021E_1E00 };
        assert_eq!(registers.memory.read(spr(MMCR1)) & 0xFFFF_FFFF, selected, "{before} writes before it");
    }
    assert!((3..20).contains(&ended), "a start has {ended} writes");
}
