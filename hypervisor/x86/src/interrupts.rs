//! The unit's interrupt, from the local APIC's entry to the guest's NMI; and the interrupts from one CPU to another.
//!
//! A processor blocks NMIs from the delivery of one until the next IRET has retired, and holds at most one that comes
//! meanwhile (SDM volume 3, "Handling Multiple NMIs"). An NMI that is injected under QEMU blocks nothing, so the host
//! keeps the book: it leaves the guest at each IRET.
//!
//! The guest sends interrupts by its real local APIC, but for those that start a CPU, which would reset the host there, and
//! for NMIs, which the hosts use.

use metal::boot::put_start_of_others;
use pmu::arch::x86::guest::{Entry, Injection, Unit};
use pmu::virt::Trigger;

use crate::turns;
use crate::world::is_alone;

/// The local APIC's page, and in it its identifier, its entry for the unit, and the register that sends an interrupt, with
/// the destination in the next (SDM volume 3, "Local APIC Register Address Map"). The guest has the real local APIC;
/// QEMU stores the entry for the unit and never uses it.
pub const LOCAL_APIC: u64 = 0xfee0_0000;
const IDENTIFIER: *const u32 = 0xfee0_0020 as *const u32;
const ENTRY: *mut u32 = 0xfee0_0340 as *mut u32;
const COMMAND: *mut u32 = (LOCAL_APIC + COMMAND_OFFSET) as *mut u32;
const DESTINATION: *const u32 = 0xfee0_0310 as *const u32;
/// Where in the page an interrupt is sent.
pub const COMMAND_OFFSET: u64 = 0x300;

/// Fields of an interrupt that is sent (SDM volume 3, "Interrupt Command Register (ICR)"); the lowest is the vector.
const DELIVERY: u32 = 0b111 << 8;
const NMI: u32 = 0b100 << 8;
const INIT: u32 = 0b101 << 8;
const START: u32 = 0b110 << 8;
const ASSERT: u32 = 1 << 14;
const TO_SELF: u32 = 0b01 << 18;
const TO_OTHERS: u32 = 0b11 << 18;

/// Returns the number of the CPU that asks.
pub fn this_cpu() -> usize {
    // SAFETY: all memory is mapped to itself, and reading the identifier changes nothing.
    unsafe { IDENTIFIER.read_volatile() as usize >> 24 }
}

/// Starts the other CPUs, which come to `kernel_entry` as this one has.
pub fn start_others() {
    /// Memory below 1 MiB that is the guest's later.
    const PAGE: u8 = 8;
    // SAFETY: the guest has not begun, and nobody else has this page.
    unsafe { put_start_of_others(PAGE) };
    send(TO_OTHERS | ASSERT | INIT);
    send(TO_OTHERS | ASSERT | START | u32::from(PAGE));
    while !is_alone() {}
}

/// Has the other CPUs look whose turn it is.
pub fn wake_others() {
    send(TO_OTHERS | ASSERT | NMI);
}

/// What the guest has written to the register that sends an interrupt.
pub fn send_for_guest(command: u32) {
    // SAFETY: reading the destination changes nothing.
    let cpu = unsafe { DESTINATION.read_volatile() as usize >> 24 };
    match command & DELIVERY {
        INIT | NMI => {} // a CPU that is not started waits for that already
        START => turns::start(cpu, command as u8),
        _ => send(command),
    }
}

fn send(command: u32) {
    // SAFETY: a host starts others before there is a guest, and sends them NMIs, which they expect; the rest is what the
    // guest sends itself.
    unsafe { COMMAND.write_volatile(command) };
}

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

    /// Returns true until the next IRET ends the handler of the last one.
    pub fn is_blocked(&self) -> bool {
        self.is_blocked
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
    let mut entry = Entry::from_bits(unsafe { ENTRY.read_volatile() });
    let event = unit.interrupt(&mut entry);
    // SAFETY: this register is the guest's, which cannot tell who has masked the entry.
    unsafe { ENTRY.write_volatile(entry.bits()) };
    match event {
        Some(Injection::Nmi) => nmi.raise(),
        Some(Injection::Interrupt(vector)) => send(TO_SELF | u32::from(vector)),
        _ => {}
    }
}
