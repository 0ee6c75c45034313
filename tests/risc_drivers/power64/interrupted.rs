//! An overflow interrupt amid a start or a stop.

use std::cell::Cell;
use std::rc::Rc;

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Book3s, Capabilities, Model, Privilege};
use pmu::driver::Registers as _;
use pmu::{Event, Handled, Interrupted, Mode, Request, Unit};

use crate::power64::{pvr, spr};
use crate::support::memory::Memory;
use crate::support::registers::{Altered, Step};

const MMCR0: u16 = 795;
const MMCR1: u16 = 798;
const PMC1: u16 = 787;
/// MMCR0's bit that freezes all counters.
const FC: u64 = 1 << 31;
/// MMCR0's bit for an alert that has occurred.
const PMAO: u64 = 1 << 7;
const POWER7: Model = Model::Power7;
const POWER9: Model = Model::Power9;

type Registers = Altered<'static, Memory<Spr>>;

fn unit() -> &'static Unit<Book3s<&'static Registers>, 16> {
    Box::leak(Box::new(Unit::new()))
}

fn capabilities(model: Model) -> Capabilities {
    Capabilities::discover(pvr(model), Privilege::Supervisor).unwrap()
}

/// The next overflow is nearer than what speculation takes back, but it was not the one that alerted.
#[test]
fn an_alert_of_power7_that_an_nmi_serves_while_a_stop_reads_it_is_served_once() {
    let (unit, is_pending) = (unit(), Rc::new(Cell::new(false)));
    let pending = is_pending.clone();
    let registers = Altered::new(Memory::new()).reading(move |memory, at| {
        let value = memory.read(at);
        if at == spr(MMCR0) && pending.take() {
            assert_eq!(unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)), Handled::Overflow);
            // The interrupted code goes on, and is counted.
            memory.write(spr(PMC1), memory.read(spr(PMC1)) + 10);
        }
        value
    });
    let registers = registers.leaked();
    let pmu = unit.claim(Book3s::new(registers, capabilities(POWER7))).unwrap();
    let mut session = pmu.open([Request::new(Event::raw(0x1_0002)).every(256)]).unwrap();
    session.start().unwrap();
    registers.write(spr(PMC1), 0x8000_0000 - 1);
    registers.write(spr(MMCR0), PMAO);
    is_pending.set(true);
    session.stop().unwrap();
    let lost = unit.samples().unwrap().lost().total();
    assert_eq!((session.read().unwrap(), lost), ([265], 1), "one overflow, amid a stop");
}

/// What happens to a POWER9's unit meanwhile.
#[derive(Default)]
struct Course {
    /// How many writes come before the first counter overflows; `None` if it does not.
    before: Cell<Option<u32>>,
    /// How often a control register other than MMCR0 was written while the unit counted.
    unfrozen: Cell<u32>,
}

impl Course {
    fn write(&self, memory: &Memory<Spr>, at: Spr, interrupt: impl FnOnce() -> Handled) {
        if let Some(before) = self.before.take() {
            self.before.set(before.checked_sub(1));
            if before == 0 {
                memory.write(spr(PMC1), 0x8000_0000);
                assert_eq!(interrupt(), Handled::Overflow);
            }
        }
        let is_control = [MMCR1, 786, 785, 754].map(spr).contains(&at);
        if is_control && memory.read(spr(MMCR0)) & FC == 0 {
            self.unfrozen.set(self.unfrozen.get() + 1);
        }
    }
}

/// The handler ends a counter, and leaves it to the start that it interrupts to run the others.
#[test]
fn an_nmi_amid_a_start_leaves_no_write_of_a_selector_while_the_unit_counts() {
    let mut ended = 0;
    for before in 0..20 {
        let (unit, course) = (unit(), Rc::new(Course::default()));
        let writes = course.clone();
        let registers = Altered::new(Memory::new()).before(move |memory, step| {
            if let Step::Write(at, _) = step {
                writes.write(memory, at, || unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)));
            }
        });
        let registers = registers.leaked();
        let pmu = unit.claim(Book3s::new(registers, capabilities(POWER9))).unwrap();
        let mut once = pmu.open([Request::new(Event::raw(0x1_0002)).once_after(5000)]).unwrap();
        let mut others = [0x2_001E, 0x3_001E].map(|code| pmu.open([Event::raw(code)]).unwrap());
        once.start().unwrap();
        others[0].start().unwrap();
        course.before.set(Some(before));
        others[1].start().unwrap();
        let has_come = course.before.take().is_none();
        ended += u32::from(has_come);
        assert_eq!(once.has_ended(0), has_come);
        assert_eq!(course.unfrozen.get(), 0, "{before} writes before it");
        assert_eq!(registers.read(spr(MMCR0)) & FC, 0, "{before} writes before it: the others run");
        let selected = if has_come { 0x001E_1E00 } else { 0x021E_1E00 };
        assert_eq!(registers.read(spr(MMCR1)) & 0xFFFF_FFFF, selected, "{before} writes before it");
    }
    assert!((3..20).contains(&ended), "a start has {ended} writes");
}
