//! x86-64: the unit is used in ring 0, and interrupts by an NMI.

use core::arch::{global_asm, x86_64::__cpuid};
use core::fmt::{Display, Write};
use core::ops::Range;
use core::ptr::NonNull;

use check::{Stopped, Work};
use pmu::arch::x86::access::Hardware;
use pmu::arch::x86::{Apic, Lvtpc, MappedLine};
use pmu::{Mode, Result, Unit};
use raw_cpuid::CpuId;
use uefi::Status;
use uefi::proto::unsafe_protocol;
use x86_64::registers::model_specific::{ApicBase, ApicBaseFlags};

use crate::Mine;
use crate::firmware::Handler;

pub type Driver = pmu::arch::Driver<Mine>;

/// The mode of what is sampled.
pub const MODE: Mode = Mode::Kernel;

/// The vector of the NMI.
pub const SOURCE: usize = 2;
/// Where RIP is in the context that the handler gets, in words (UEFI specification, "EFI_DEBUG_SUPPORT_PROTOCOL",
/// EFI_SYSTEM_CONTEXT_X64): after a word, 512 bytes of FXSAVE, and 19 registers.
pub const ADDRESS: usize = 1 + 64 + 19;

pub fn detect() -> Result<Driver> {
    // SAFETY: ring 0; the user has agreed that the unit is used; no interrupt comes, because there is no line.
    unsafe { pmu::arch::detect(Mine) }
}

/// The driver, whose overflows raise an NMI by the local APIC in the mode that the firmware uses.
pub fn detect_with_line() -> Result<Driver> {
    let (base, flags) = ApicBase::read();
    let line = if flags.contains(ApicBaseFlags::X2APIC_ENABLE) {
        // SAFETY: as for `detect`, and the APIC is in x2APIC mode; the NMI has its handler before a counter interrupts.
        Apic::x2apic(unsafe { Hardware::claim(Mine) }, Lvtpc::NMI)
    } else {
        let register = NonNull::new((base.start_address().as_u64() + 0x340) as *mut u32);
        // SAFETY: it is LVTPC, which firmware maps to its own address, uncached; firmware does not use it.
        register.map_or(Apic::absent(), |at| Apic::xapic(unsafe { MappedLine::claim(at) }, Lvtpc::NMI))
    };
    Ok(detect()?.with_line(line))
}

pub fn registers(unit: &Unit<Driver, 256>, out: &mut impl Write) -> core::result::Result<(), Stopped> {
    check::of_x86(unit, out)
}

/// What CPUID says: the vendor (leaf 0), and family, model and stepping (leaf 1, EAX).
pub fn processor() -> impl Display {
    let vendor = CpuId::new().get_vendor_info();
    let vendor = vendor.as_ref().map_or("without a vendor", |vendor| vendor.as_str());
    alloc::format!("x86-64 {vendor} {:#x} in ring 0", __cpuid(1).eax)
}

/// The interface to the processor's vectors (Platform Initialization specification, vol. 2, "CPU Architectural Protocol").
#[repr(C)]
#[unsafe_protocol("26baccb1-6f42-11d4-bce7-0080c73c8881")]
pub struct Controller {
    others: [usize; 5],
    register: unsafe extern "efiapi" fn(*const Self, usize, Option<Handler>) -> Status,
}

impl Controller {
    /// Installs a handler, or removes it.
    pub fn register(&self, vector: usize, handler: Option<Handler>) -> Status {
        // SAFETY: the interface is the firmware's, and the handler keeps to what a handler may do.
        unsafe { (self.register)(self, vector, handler) }
    }

    /// An NMI is not acknowledged.
    pub fn end(&self, _: usize) {}
}

global_asm!(".globl check_loop", "check_loop:", "dec rcx", "jnz check_loop", "ret");

unsafe extern "efiapi" {
    safe fn check_loop(times: u64);
}

pub struct Loop;

impl Work for Loop {
    fn run(&self, times: u64) {
        check_loop(times);
    }

    fn addresses(&self) -> Range<u64> {
        let start = check_loop as *const () as u64;
        start..start + 6
    }
}
