//! The virtual machine control block: what the processor reads at VMRUN and writes at each exit.
//!
//! AMD64 Architecture Programmer's Manual, volume 2 (publication 24593), appendix B: tables B-1, "VMCB Layout, Control
//! Area", and B-2, "VMCB Layout, State Save Area"; the codes of events are those of section 15.20, "Event Injection".

use core::mem::{offset_of, size_of};

use bitflags::bitflags;

/// The whole block; one page, whose address goes to VMRUN in RAX.
#[repr(C, align(4096))]
pub struct Vmcb {
    /// What leaves the guest, and how it is entered.
    pub control: Control,
    /// The guest's registers that are not general ones.
    pub save: Save,
    rest: [u8; 0x1000 - size_of::<Control>() - size_of::<Save>()],
}

bitflags! {
    /// Instructions and events that leave the guest (table B-1, offset 0xC).
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub struct Intercepts: u32 {
        /// A physical interrupt, if the guest would take it.
        const INTERRUPT = 1 << 0;
        /// A physical NMI: the timer's.
        const NMI = 1 << 1;
        /// `rdpmc`
        const RDPMC = 1 << 15;
        /// `cpuid`
        const CPUID = 1 << 18;
        /// `iret`
        const IRET = 1 << 20;
        /// `int`
        const SOFTWARE_INTERRUPT = 1 << 21;
        /// `pause`
        const PAUSE = 1 << 23;
        /// `hlt`
        const HLT = 1 << 24;
        /// `rdmsr` and `wrmsr`, as the permission map says.
        const MSR = 1 << 28;
        /// A triple fault.
        const SHUTDOWN = 1 << 31;
    }
}

/// The instructions of virtualisation that leave the guest (table B-1, offset 0x10): VMRUN, VMMCALL, VMLOAD, VMSAVE,
/// STGI, CLGI, SKINIT.
pub const ALL_OF_SVM: u32 = 0x7f;
/// Bits of EFER: system calls are enabled, long mode is active, and SVM is enabled, which the guest does not have.
pub const SYSTEM_CALLS: u64 = 1 << 0;
/// See [`SYSTEM_CALLS`].
pub const LONG_MODE_ACTIVE: u64 = 1 << 10;
/// See [`SYSTEM_CALLS`].
pub const SVM_ENABLE: u64 = 1 << 12;

/// The single-step trap's bit among the exceptions that leave the guest (vector 1).
pub const DEBUG_EXCEPTION: u32 = 1 << 1;

/// The control area (table B-1).
#[repr(C)]
pub struct Control {
    register_intercepts: [u16; 4],
    /// One bit for each exception's vector.
    pub exceptions: u32,
    /// Instructions and events.
    pub intercepts: Intercepts,
    /// The instructions of virtualisation.
    pub virtualisation: u32,
    reserved_014: [u8; 0x40 - 0x14],
    io_permissions: u64,
    /// The address of the MSR permission map.
    pub msr_permissions: u64,
    /// What is added to the time-stamp counter that the guest reads.
    pub tsc_offset: u64,
    /// The guest's address space identifier; 0 is the host's.
    pub address_space: u32,
    /// 1: the TLB is flushed at the entry.
    pub tlb_control: u32,
    /// An interrupt that waits until the guest takes interrupts.
    pub virtual_interrupt: VirtualInterrupt,
    /// The instruction is in the shadow of an STI or of a load of SS.
    pub interrupt_shadow: u64,
    /// Why the guest was left.
    pub exit_code: u64,
    /// More about it.
    pub exit_information: [u64; 2],
    /// The event whose delivery the exit has interrupted.
    pub exit_event: Event,
    /// 1: the guest's physical addresses are translated.
    pub nested_paging: u64,
    reserved_098: [u8; 0xa8 - 0x98],
    /// What happens to the guest as soon as it is entered.
    pub event: Event,
    /// The address of the tables that translate the guest's physical addresses.
    pub nested_tables: u64,
    reserved_0b8: [u8; 0x400 - 0xb8],
}

/// The state save area (table B-2); its offsets count from 0x400 of the block.
#[repr(C)]
pub struct Save {
    /// Segments, in the order of the table.
    pub es: Segment,
    /// Code.
    pub cs: Segment,
    /// Stack.
    pub ss: Segment,
    /// Data.
    pub ds: Segment,
    fs_gs: [Segment; 2],
    /// The global descriptor table.
    pub gdtr: Segment,
    ldtr: Segment,
    /// The interrupt descriptor table.
    pub idtr: Segment,
    tr: Segment,
    reserved_0a0: [u8; 0xcb - 0xa0],
    /// The ring that the guest is in.
    pub ring: u8,
    reserved_0cc: [u8; 0xd0 - 0xcc],
    /// EFER; its SVME bit must stay set.
    pub efer: u64,
    reserved_0d8: [u8; 0x148 - 0xd8],
    /// Control registers.
    pub cr4: u64,
    /// The page tables.
    pub cr3: u64,
    /// Paging and protection.
    pub cr0: u64,
    /// The debug registers that VMRUN switches.
    pub dr7: u64,
    /// Its status.
    pub dr6: u64,
    /// The flags.
    pub rflags: u64,
    /// The next instruction.
    pub rip: u64,
    reserved_180: [u8; 0x1d8 - 0x180],
    /// The stack pointer.
    pub rsp: u64,
    reserved_1e0: [u8; 0x1f8 - 0x1e0],
    /// The one general register that VMRUN switches.
    pub rax: u64,
    reserved_200: [u8; 0x240 - 0x200],
    /// The address of the last page fault.
    pub cr2: u64,
    reserved_248: [u8; 0x268 - 0x248],
    /// The page attribute table.
    pub pat: u64,
}

/// A segment register with its hidden part (table B-2, note).
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Segment {
    /// Visible part.
    pub selector: u16,
    /// The descriptor's bits 55:52 and 47:40.
    pub attributes: u16,
    /// Last byte.
    pub limit: u32,
    /// First byte.
    pub base: u64,
}

impl Segment {
    /// Code of 64 bits in this ring.
    pub const fn code(selector: u16, ring: u16) -> Self {
        Self::flat(selector, 0xa9b | ring << 5)
    }

    /// Code of 16 bits, which begins at the selector's address in real mode.
    pub const fn real_code(selector: u16) -> Self {
        Self { selector, attributes: 0x9b, limit: 0xffff, base: (selector as u64) << 4 }
    }

    /// Data of 16 bits.
    pub const fn real_data() -> Self {
        Self { selector: 0, attributes: 0x93, limit: 0xffff, base: 0 }
    }

    /// Data in this ring.
    pub const fn data(selector: u16, ring: u16) -> Self {
        Self::flat(selector, 0xc93 | ring << 5)
    }

    /// A flat segment of 4 GiB.
    pub const fn flat(selector: u16, attributes: u16) -> Self {
        Self { selector, attributes, limit: u32::MAX, base: 0 }
    }

    /// The register of a descriptor table.
    pub const fn table(base: u64, limit: u16) -> Self {
        Self { selector: 0, attributes: 0, limit: limit as u32, base }
    }
}

/// What is injected into the guest at its entry (section 15.20).
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Event(u64);

impl Event {
    const VALID: u64 = 1 << 31;
    const HAS_ERROR_CODE: u64 = 1 << 11;
    const TYPE_NMI: u64 = 2 << 8;
    const TYPE_EXCEPTION: u64 = 3 << 8;
    const TYPE_INSTRUCTION: u64 = 4 << 8;

    /// Nothing.
    pub const NONE: Self = Self(0);
    /// A non-maskable interrupt.
    pub const NMI: Self = Self(Self::VALID | Self::TYPE_NMI | 2);

    /// An exception. Some [have an error code](has_error_code), which is ignored for the others. The two that
    /// instructions raise on purpose, INT3 and INTO, are delivered as instructions are.
    pub const fn exception(vector: u8, error: u32) -> Self {
        let event = Self::VALID | vector as u64;
        match vector {
            3 | 4 => Self(event | Self::TYPE_INSTRUCTION),
            _ if has_error_code(vector as usize) => {
                Self(event | Self::TYPE_EXCEPTION | Self::HAS_ERROR_CODE | (error as u64) << 32)
            }
            _ => Self(event | Self::TYPE_EXCEPTION),
        }
    }

    /// The event with this encoding.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Is there one?
    pub const fn is_valid(self) -> bool {
        self.0 & Self::VALID != 0
    }
}

/// Does the processor push an error code for this exception? (APM volume 2, table 8-1.)
pub const fn has_error_code(vector: usize) -> bool {
    matches!(vector, 8 | 10..=14 | 17 | 21 | 29 | 30)
}

/// A maskable interrupt that waits for the guest (table B-1, offset 0x60).
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct VirtualInterrupt(u64);

impl VirtualInterrupt {
    /// None waits.
    pub const NONE: Self = Self(0);

    const REQUESTED: u64 = 1 << 8;
    const HIGHEST_PRIORITY: u64 = 0xf << 16;
    const IGNORE_TASK_PRIORITY: u64 = 1 << 20;

    /// The one with this vector waits.
    pub const fn vector(vector: u8) -> Self {
        let always = Self::REQUESTED | Self::HIGHEST_PRIORITY | Self::IGNORE_TASK_PRIORITY;
        Self(always | (vector as u64) << 32)
    }

    /// Does one wait?
    pub const fn is_waiting(self) -> bool {
        self.0 & Self::REQUESTED != 0
    }
}

impl Vmcb {
    /// A block of zeros: nothing leaves the guest, and there is no guest.
    pub const fn zeroed() -> Self {
        // SAFETY: integers, and types that are transparently integers, may all be 0.
        unsafe { core::mem::zeroed() }
    }
}

const _: () = {
    assert!(offset_of!(Control, exceptions) == 0x008);
    assert!(offset_of!(Control, intercepts) == 0x00c);
    assert!(offset_of!(Control, virtualisation) == 0x010);
    assert!(offset_of!(Control, msr_permissions) == 0x048);
    assert!(offset_of!(Control, tsc_offset) == 0x050);
    assert!(offset_of!(Control, address_space) == 0x058);
    assert!(offset_of!(Control, tlb_control) == 0x05c);
    assert!(offset_of!(Control, virtual_interrupt) == 0x060);
    assert!(offset_of!(Control, interrupt_shadow) == 0x068);
    assert!(offset_of!(Control, exit_code) == 0x070);
    assert!(offset_of!(Control, exit_information) == 0x078);
    assert!(offset_of!(Control, exit_event) == 0x088);
    assert!(offset_of!(Control, nested_paging) == 0x090);
    assert!(offset_of!(Control, event) == 0x0a8);
    assert!(offset_of!(Control, nested_tables) == 0x0b0);
    assert!(offset_of!(Vmcb, save) == 0x400);
    assert!(offset_of!(Save, cs) == 0x010);
    assert!(offset_of!(Save, gdtr) == 0x060);
    assert!(offset_of!(Save, idtr) == 0x080);
    assert!(offset_of!(Save, ring) == 0x0cb);
    assert!(offset_of!(Save, efer) == 0x0d0);
    assert!(offset_of!(Save, cr4) == 0x148);
    assert!(offset_of!(Save, cr3) == 0x150);
    assert!(offset_of!(Save, cr0) == 0x158);
    assert!(offset_of!(Save, rflags) == 0x170);
    assert!(offset_of!(Save, rip) == 0x178);
    assert!(offset_of!(Save, rsp) == 0x1d8);
    assert!(offset_of!(Save, rax) == 0x1f8);
    assert!(offset_of!(Save, cr2) == 0x240);
    assert!(offset_of!(Save, pat) == 0x268);
    assert!(size_of::<Vmcb>() == 0x1000);
};
