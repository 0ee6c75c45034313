//! What the unit held before a claim it holds again after the release, bit for bit, whatever was done in between.

use pmu::Registers;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::Select;
use pmu::{CounterId, Description};

use super::clocked;
use crate::gic;
use crate::kernel::unit::{self, Unit};
use crate::kernel::{enter_interrupts_at, instructions, registers};

static UNIT: Unit<64> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let unit = pmu.description();
    pmu.release().expect("nothing is open");
    for enabled in [0, 0b101, 0x8000_0013] {
        leave_something(&unit, enabled);
        let before = registers::fingerprint();
        use_everything();
        assert_eq!(registers::fingerprint(), before, "{enabled:#x}");
    }
}

/// Fills every register with something of its own; the unit as a whole is off, so that nothing moves here.
fn leave_something(unit: &Description, enabled: u64) {
    let hardware = unit::hardware();
    hardware.write(SystemRegister::CONTROL, 1 << 6);
    for counter in clocked::counters(unit).into_iter() {
        let number = u64::from(counter.number());
        hardware.write(SystemRegister::any_counter(counter), 0x1234_5600 + number);
        let kept =
            if counter == clocked::CYCLES { Select::NOT_USER.bits() } else { Select::NOT_KERNEL.bits() | number };
        hardware.write(SystemRegister::any_select(counter), kept);
    }
    hardware.write(SystemRegister::SELECTOR, 3);
    hardware.write(SystemRegister::USER_ENABLE, 0b1010);
    hardware.write(SystemRegister::ENABLE_CLEAR, 0xffff_ffff);
    hardware.write(SystemRegister::ENABLE_SET, enabled);
    hardware.write(SystemRegister::INTERRUPT_CLEAR, 0xffff_ffff);
    hardware.write(SystemRegister::INTERRUPT_SET, enabled >> 1);
    hardware.write(SystemRegister::OVERFLOW_CLEAR, 0xffff_ffff);
    hardware.write(SystemRegister::OVERFLOW_SET, enabled >> 2);
}

/// Samples on every counter.
fn use_everything() {
    let pmu = UNIT.reclaim().expect("it was released");
    let open = |counter: CounterId| pmu.open([clocked::request(counter).every(2100)]).expect("the counter is free");
    let mut sessions = [const { None }; 64];
    for (session, counter) in sessions.iter_mut().zip(clocked::counters(&pmu.description())) {
        session.insert(open(counter)).start().expect("it can start");
    }
    instructions::exactly(5500);
    drop(sessions);
    pmu.release().expect("nothing is open");
}
