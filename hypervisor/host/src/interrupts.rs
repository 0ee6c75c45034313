//! The unit's interrupt, from the local APIC's entry to the guest's NMI.
//!
//! A processor blocks NMIs from the delivery of one until the next IRET has retired, and holds at most one that comes
//! meanwhile (SDM volume 3, "Handling Multiple NMIs"). An NMI that is injected under QEMU blocks nothing, so the host
//! keeps the book: it leaves the guest at each IRET.

use pmu::arch::x86::Lvtpc;
use pmu::arch::x86::guest::{Event, Unit};
use pmu::virt::Trigger;

/// The local APIC's entry for the unit, and the register that sends an interrupt (SDM volume 3, "Local APIC Register
/// Address Map"). The guest has the real local APIC; QEMU stores this entry and never uses it.
const ENTRY: *mut u32 = 0xfee0_0340 as *mut u32;
const COMMAND: *mut u32 = 0xfee0_0300 as *mut u32;
/// To this CPU itself; below it is the vector.
const TO_SELF: u32 = 1 << 18;

/// The guest's NMI input.
#[derive(Debug, Default)]
pub struct Nmi {
    is_blocked: bool,
    is_pending: bool,
}

impl Nmi {
    /// Somebody raises an NMI.
    pub fn raise(&mut self) {
        self.is_pending = true;
    }

    /// Returns true if the guest takes an NMI now.
    pub fn is_due(&self) -> bool {
        self.is_pending && !self.is_blocked
    }

    /// Returns true if there is one to be injected, and blocks further ones then.
    pub fn take(&mut self) -> bool {
        let is_due = self.is_due();
        if is_due {
            *self = Self { is_blocked: true, is_pending: false };
        }
        is_due
    }

    /// The guest has executed an IRET.
    pub fn unblock(&mut self) {
        self.is_blocked = false;
    }
}

/// A counter has overflowed: does what the local APIC's entry says, and writes it back as the processor would.
pub fn deliver_overflow<T: Trigger>(unit: &Unit<T>, nmi: &mut Nmi) {
    // SAFETY: all memory is mapped to itself, and reading the entry changes nothing.
    let Some(mut entry) = Lvtpc::from_bits(unsafe { ENTRY.read_volatile() }) else { return };
    let event = unit.interrupt(&mut entry);
    // SAFETY: this register is the guest's, which cannot tell who has masked the entry.
    unsafe { ENTRY.write_volatile(entry.bits()) };
    match event {
        Some(Event::Nmi) => nmi.raise(),
        // SAFETY: the guest is told of its own interrupt.
        Some(Event::Interrupt(vector)) => unsafe { COMMAND.write_volatile(TO_SELF | u32::from(vector)) },
        _ => {}
    }
}
