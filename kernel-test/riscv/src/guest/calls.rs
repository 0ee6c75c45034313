//! The unit by calls to the firmware, which interrupts by LCOFI or by its software event.

use core::arch::asm;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use harness::place::OneCpu;
use harness::{Fingerprint, Fresh, LITTLE_ROOM, ROOM};
use pmu::arch::riscv::access::Firmware;
use pmu::arch::riscv::hpm;
use pmu::arch::riscv::hpm::sbi::{Capabilities, Line, Sbi};
use pmu::{CounterId, Kernel, Result, Unit};

use super::entry;
use super::way::{Units, Way};
use crate::csr::{self, get, put};
use crate::identity;

/// The driver by calls.
pub type Driver<K = OneCpu> = Sbi<Firmware<K>>;

/// This way.
#[derive(Debug)]
pub struct Calls;

static SHARED: Fresh<Unit<Driver, ROOM>> = Fresh::new(Unit::new(), Unit::new());
static SMALL: Fresh<Unit<Driver, LITTLE_ROOM>> = Fresh::new(Unit::new(), Unit::new());

/// Extensions of the SBI, and functions of theirs.
pub const PMU: usize = 0x50_4D55;
pub const CONFIGURE: usize = 2;
const STOP: usize = 4;
pub const SET_SNAPSHOT: usize = 7;
const EVENTS: usize = 0x53_5345;
const ENABLE: usize = 4;
const DISABLE: usize = 5;
const INJECT: usize = 7;
/// The software event of an overflow.
const LOCAL_PMU: usize = 0x1_0000;
/// A flag of a configuration: the counter starts.
const AUTO_START: usize = 1 << 2;
/// A flag of a stop: the counters lose their events.
const RESET: usize = 1 << 0;

/// Calls the firmware. Returns its error, 0 if there is none, and its value.
pub fn call(extension: usize, function: usize, arguments: [usize; 5]) -> (isize, usize) {
    let [a0, a1, a2, a3, a4] = arguments;
    let (error, value);
    // SAFETY: no call that the kernel makes changes memory; the firmware keeps the other registers.
    unsafe {
        asm!("ecall", inlateout("a0") a0 => error, inlateout("a1") a1 => value, in("a2") a2, in("a3") a3, in("a4") a4,
            in("a5") 0, in("a6") function, in("a7") extension, options(nostack));
    }
    (error, value)
}

/// Overflows interrupt by the software event.
static IS_SOFTWARE: AtomicBool = AtomicBool::new(false);

/// Overflows interrupt by this from the next claim on.
pub fn interrupt_by(line: Line) {
    IS_SOFTWARE.store(line == Line::Software, Relaxed);
}

/// How overflows interrupt.
pub fn line() -> Line {
    if IS_SOFTWARE.load(Relaxed) { Line::Software } else { Line::Local }
}

/// What scountovf had when the firmware started this kernel.
pub static AT_BOOT: AtomicUsize = AtomicUsize::new(0);

/// Registers the handler of the software event, with the end of a stack of its own, if the firmware has one, and lets overflows
/// interrupt by the firmware's line.
pub fn open(firmware: Option<identity::Firmware>, stack: usize) {
    AT_BOOT.store(get!("scountovf"), Relaxed);
    if let Some(identity::Firmware::OpenSbi(line)) = firmware {
        // SAFETY: the handler keeps every register, and has a stack of its own.
        unsafe { Firmware::register_event(entry::event(), stack) }.expect("the firmware has software events");
        interrupt_by(line);
    }
}

/// The calls of this hart.
pub fn firmware<K: Kernel>(kernel: K) -> Firmware<K> {
    // SAFETY: the kernel runs in supervisor mode, and has one driver at a time; both interrupts have their handlers.
    unsafe { Firmware::claim(kernel) }
}

/// What the unit was found to have.
struct Found(UnsafeCell<Option<Capabilities>>);

// SAFETY: one hart runs, and its interrupts do not use it.
unsafe impl Sync for Found {}

static FOUND: Found = Found(UnsafeCell::new(None));

/// What the unit has. It is asked once, while nothing is in use: of counters that are in use the firmware does not say
/// what they can count.
///
/// # Errors
/// Those of [`Capabilities::discover`].
pub fn capabilities() -> Result<Capabilities> {
    // SAFETY: nobody else refers to it.
    let found = unsafe { &mut *FOUND.0.get() };
    if found.is_none() {
        let announced = identity::present().announced();
        *found = Some(Capabilities::discover(&firmware(OneCpu), &announced, line(), &[])?);
    }
    let mut unit = found.clone().expect("it was asked");
    unit.line = line();
    Ok(unit)
}

impl Way for Calls {
    type Driver = Driver;
    /// Counters that happen to start from the same value take one call.
    const VARIES: u64 = 100;
    const FIXED: [CounterId; 2] = [CounterId::ZERO, CounterId::new(2).unwrap()];
    /// No event of the specification has so large a number.
    const NO_CODE: u64 = 1 << 20;

    fn units() -> Units<Driver> {
        (&SHARED, &SMALL)
    }

    fn detect() -> Result<Driver> {
        Ok(Sbi::new(firmware(OneCpu), capabilities()?))
    }

    /// All counters of the processor and the firmware.
    fn reset() {
        let (_, counters) = call(PMU, 0, [0; 5]);
        call(PMU, STOP, [0, (1 << counters) - 1, RESET, 0, 0]);
        call(EVENTS, DISABLE, [LOCAL_PMU, 0, 0, 0, 0]);
        put!("csrw", "scounteren", 0);
    }

    /// What a counter is configured with cannot be asked.
    fn fingerprint() -> u64 {
        Fingerprint::of(&(get!("sie") & 1 << hpm::Capabilities::INTERRUPT, get!("scounteren")))
    }

    /// The counters are left to other events.
    fn leave(readable: u32) {
        const MISSES: usize = 0x1_0019;
        Self::reset();
        call(PMU, CONFIGURE, [0, identity::COUNTERS as usize & !7, 0, MISSES, 0]);
        put!("csrw", "scounteren", readable as usize);
        if readable & 1 == 0 {
            put!("csrc", "sie", 1 << hpm::Capabilities::INTERRUPT);
        } else {
            put!("csrs", "sie", 1 << hpm::Capabilities::INTERRUPT);
        }
    }

    /// cycle, which runs from now on; in QEMU an instruction is a cycle. OpenSBI lets it leave machine mode out.
    fn clock() -> u64 {
        const CYCLES: usize = 1;
        call(PMU, CONFIGURE, [0, 1 << 0, AUTO_START, CYCLES, 0]);
        get!("cycle") as u64
    }

    /// The software event comes with interrupts off too, unless it is disabled.
    fn without_interrupts(body: impl FnOnce()) {
        csr::keep_out();
        if line() == Line::Software {
            call(EVENTS, DISABLE, [LOCAL_PMU, 0, 0, 0, 0]);
        }
        body();
        if line() == Line::Software {
            call(EVENTS, ENABLE, [LOCAL_PMU, 0, 0, 0, 0]);
        }
        csr::let_in();
    }

    fn raise_interrupt() {
        if line() == Line::Software {
            call(EVENTS, ENABLE, [LOCAL_PMU, 0, 0, 0, 0]);
            call(EVENTS, INJECT, [LOCAL_PMU, 0, 0, 0, 0]);
        } else {
            super::registers::raise();
        }
    }
}
