//! What several harts need: their numbers, a unit for each, and a place to meet.

use core::arch::asm;
use core::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use pmu::arch::riscv::hpm::Hpm;
use pmu::{CpuId, Kernel, Pmu};

use crate::boot::HARTS;
use crate::guest::registers::hardware;
use crate::guest::{on_overflow, unit};
use crate::{csr, identity};

/// The kernel, which has its hart's number in tp.
#[derive(Clone, Copy, Debug)]
pub struct Hart;

impl Kernel for Hart {
    fn cpu(&self) -> CpuId {
        CpuId(number() as u32)
    }
}

/// The driver of each hart's unit.
pub type Driver = unit::Driver<Hart>;
type Unit = pmu::Unit<Driver, 64>;

static UNITS: [Unit; HARTS] = [const { Unit::new() }; HARTS];
static MEETINGS: AtomicUsize = AtomicUsize::new(0);

/// The number of this hart.
pub fn number() -> usize {
    let number;
    // SAFETY: it reads a register.
    unsafe { asm!("mv {}, tp", out(reg) number, options(nomem, nostack, preserves_flags)) };
    number
}

/// This hart's unit.
pub fn this_unit() -> &'static Unit {
    &UNITS[number()]
}

/// Waits until every hart has come here as often.
pub fn meet() {
    let meeting = MEETINGS.fetch_add(1, SeqCst) / HARTS;
    while MEETINGS.load(SeqCst) / HARTS <= meeting {}
}

/// Claims this hart's unit, when every hart has begun; its overflows are handled from then on.
pub fn claim() -> Pmu<'static, Driver> {
    meet();
    on_overflow(|at| _ = this_unit().on_overflow(at));
    let driver = Hpm::detect(hardware(Hart), csr::privilege(), &identity::present().announced());
    this_unit().claim(driver.expect("it has a unit")).expect("nobody has it yet")
}
