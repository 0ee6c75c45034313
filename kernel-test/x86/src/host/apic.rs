//! The local APIC's one entry that matters here: how the unit's overflow reaches the processor.
//!
//! The guest programs the real xAPIC's register, which QEMU stores and never acts upon, or, once
//! it has switched x2APIC mode on, the MSR that stands for it. The host reads the entry whenever a
//! counter overflows, and does what it says. Intel SDM volume 3, "Advanced Programmable Interrupt
//! Controller (APIC)": sections "Local Vector Table" and "Extended XAPIC (x2APIC)".

use metal::vmcb::VirtualInterrupt;

use crate::identity::Processor;

/// The MSR that places the local APIC and switches its modes.
pub const BASE: u32 = 0x1b;
/// The x2APIC's registers.
pub const X2APIC: core::ops::RangeInclusive<u32> = 0x800..=0x8ff;
/// Among them, the performance counters' entry of the local vector table.
const X2APIC_COUNTERS: u32 = 0x834;
/// The extended entry 0, which sampling interrupts through (AMD APM volume 2, "Extended Interrupt Local Vector Table").
pub const X2APIC_SAMPLING: u32 = 0x850;

/// IA32_APIC_BASE after reset: enabled, on the bootstrap processor, at its usual place.
const BASE_AT_START: u64 = 0xfee0_0000 | ENABLED | 1 << 8;
const ENABLED: u64 = 1 << 11;
const X2APIC_ENABLED: u64 = 1 << 10;

/// The entry in the xAPIC's memory.
const COUNTERS: *mut u32 = 0xfee0_0340 as *mut u32;
/// The registers that make the timer count instructions and interrupt the host by NMI.
const SPURIOUS: *mut u32 = 0xfee0_00f0 as *mut u32;
const TIMER: *mut u32 = 0xfee0_0320 as *mut u32;
const TIMER_DIVIDER: *mut u32 = 0xfee0_03e0 as *mut u32;

/// An entry of the local vector table.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry(u32);

/// What an overflow does to the guest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// An NMI.
    Nmi,
    /// An interrupt with a vector.
    Fixed(VirtualInterrupt),
    /// Nothing; and it is forgotten.
    Masked,
}

impl Entry {
    const MASK: u32 = 1 << 16;
    const IMPLEMENTED: u32 = 0xff | 7 << 8 | Self::MASK;
    const MASKED: Self = Self(Self::MASK);
    /// Delivery mode NMI; QEMU delivers even the timer's interrupt so.
    const NMI: Self = Self(4 << 8);

    const fn delivery(self) -> Delivery {
        match (self.0 & Self::MASK, self.0 >> 8 & 7) {
            (0, 4) => Delivery::Nmi,
            (0, 0) => Delivery::Fixed(VirtualInterrupt::vector(self.0 as u8)),
            _ => Delivery::Masked,
        }
    }
}

/// The local APIC as the guest sees it.
#[derive(Default)]
pub struct Apic {
    is_x2apic: bool,
    /// What the guest has written to the extended entry.
    sampling: Option<u32>,
}

/// The guest's access is refused.
pub struct Refused;

impl Apic {
    /// Makes the local APIC ready for the host: its timer counts every instruction and ends in an
    /// NMI.
    pub fn prepare_timer() {
        const SOFTWARE_ENABLED: u32 = 1 << 8 | 0xff;
        const DIVIDE_BY_ONE: u32 = 0b1011;
        write(SPURIOUS, SOFTWARE_ENABLED);
        write(TIMER_DIVIDER, DIVIDE_BY_ONE);
        write(TIMER, Entry::NMI.0);
    }

    /// The counters' entry as after reset.
    pub const MASKED: u32 = Entry::MASKED.0;

    /// As after reset: every entry is masked.
    pub fn reset(&mut self) {
        *self = Self::default();
        write(COUNTERS, Entry::MASKED.0);
    }

    /// A counter overflowed. Where the processor masks the entry as it delivers, so does this.
    pub fn deliver(&self, masking: Masking) -> Delivery {
        let entry = Entry(read(COUNTERS));
        if masking == Masking::OnDelivery && entry.delivery() != Delivery::Masked {
            write(COUNTERS, entry.0 | Entry::MASK);
        }
        entry.delivery()
    }

    /// An instruction was sampled. The processor does not mask that entry.
    pub fn deliver_sampling(&self) -> Delivery {
        self.sampling.map_or(Delivery::Masked, |entry| Entry(entry).delivery())
    }

    /// What the counters' entry holds.
    pub fn entry(&self) -> u32 {
        read(COUNTERS)
    }

    /// The counters' entry holds this.
    pub fn set_entry(&self, entry: u32) {
        write(COUNTERS, entry);
    }

    /// The guest reads one of the APIC's MSRs.
    pub fn read(&self, register: u32) -> Result<u64, Refused> {
        match register {
            BASE if self.is_x2apic => Ok(BASE_AT_START | X2APIC_ENABLED),
            BASE => Ok(BASE_AT_START),
            X2APIC_COUNTERS if self.is_x2apic => Ok(read(COUNTERS).into()),
            X2APIC_SAMPLING if self.is_x2apic => Ok(self.sampling.unwrap_or(Self::MASKED).into()),
            _ => Err(Refused),
        }
    }

    /// The guest writes one of the APIC's MSRs.
    pub fn write(&mut self, register: u32, value: u64) -> Result<(), Refused> {
        match register {
            BASE if value & !X2APIC_ENABLED == BASE_AT_START => self.is_x2apic = value & X2APIC_ENABLED != 0,
            X2APIC_COUNTERS if self.is_x2apic && value & !u64::from(Entry::IMPLEMENTED) == 0 => {
                write(COUNTERS, value as u32);
            }
            X2APIC_SAMPLING if self.is_x2apic && value & !u64::from(Entry::IMPLEMENTED) == 0 => {
                self.sampling = Some(value as u32);
            }
            _ => return Err(Refused),
        }
        Ok(())
    }
}

/// Whether the processor masks the counters' entry each time it delivers their interrupt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Masking {
    /// Intel, from the Pentium M and the Pentium 4 on.
    OnDelivery,
    /// AMD, and Intel before them.
    Never,
}

impl Masking {
    /// What this processor does.
    pub fn of(processor: &Processor) -> Self {
        if processor.masks_line() { Self::OnDelivery } else { Self::Never }
    }
}

fn read(register: *mut u32) -> u32 {
    // SAFETY: callers name registers of the local APIC, which the boot code maps.
    unsafe { register.read_volatile() }
}

fn write(register: *mut u32, value: u32) {
    // SAFETY: as for `read`; none of these registers reaches memory.
    unsafe { register.write_volatile(value) };
}
