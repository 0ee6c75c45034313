//! The virtual processor: the guest's registers, and what the host does to them.

use core::mem;

use harness::world::as_guest;
use metal::vmcb::{ALL_OF_SVM, DEBUG_EXCEPTION, Event, Intercepts, Segment, VirtualInterrupt, Vmcb};
use pmu::Mode;
use pmu::arch::x86::CpuIdResult;
use x86::controlregs::{Cr4, cr0, cr3, cr4};
use x86::msr::{IA32_EFER, rdmsr};

use super::permissions::Permissions;
use super::world::{self, GeneralRegisters, Passage, World};
use crate::guest::entry;
use crate::width::by_width;
use crate::{boot, trap};

/// RFLAGS, bit 8 (TF): trap after the next instruction.
const TRAP_FLAG: u64 = 1 << 8;
/// RFLAGS, bit 9 (IF): interrupts are taken.
const INTERRUPT_FLAG: u64 = 1 << 9;
/// RFLAGS, bit 1: always set.
const FLAGS_AT_START: u64 = 1 << 1;

/// One virtual processor, which shares the host's memory.
pub struct Processor {
    vmcb: Vmcb,
    world: World,
    watches_return: Watch,
    watches_crossings: Watch,
}

impl Processor {
    /// A processor in ring 0 of the host's own address space, which has not begun yet.
    pub fn new(permissions: &Permissions) -> Self {
        let (vmcb, world) = (Vmcb::zeroed(), World::default());
        let mut processor = Self { vmcb, world, watches_return: Watch::Off, watches_crossings: Watch::Off };
        processor.set_controls(permissions);
        processor.set_tables();
        processor.set_control_registers();
        processor
    }

    fn set_controls(&mut self, permissions: &Permissions) {
        let control = &mut self.vmcb.control;
        control.exceptions = DEBUG_EXCEPTION;
        control.intercepts = Intercepts::NMI
            | Intercepts::RDPMC
            | Intercepts::CPUID
            | Intercepts::HLT
            | Intercepts::MSR
            | Intercepts::SHUTDOWN;
        control.virtualisation = ALL_OF_SVM;
        control.msr_permissions = &raw const *permissions as u64;
        control.address_space = 1;
    }

    fn set_tables(&mut self) {
        const CODE: Segment = Segment::flat(trap::KERNEL_CODE, by_width!(0xa9b, 0xc9b));
        const STACK: Segment = Segment::flat(trap::KERNEL_DATA, 0xc93);
        /// Ring 0 may use it too, and it stays where it is on the way to ring 3 and back.
        const DATA: Segment = Segment::flat(trap::USER_DATA, 0xcf3);
        let save = &mut self.vmcb.save;
        save.cs = CODE;
        (save.ds, save.es, save.ss) = (DATA, DATA, STACK);
        save.gdtr = Segment::table(trap::segments().base() as u64, trap::Segments::LIMIT);
        save.idtr = Segment::table(entry::table().base() as u64, trap::Table::LIMIT);
    }

    fn set_control_registers(&mut self) {
        let save = &mut self.vmcb.save;
        // SAFETY: this is ring 0, and reading them changes nothing.
        let [cr0, cr3, cr4] = unsafe { [cr0().bits() as u64, cr3(), (cr4() - Cr4::CR4_ENABLE_PPMC).bits() as u64] };
        (save.cr0, save.cr3, save.cr4) = (cr0, cr3, cr4);
        // SAFETY: a processor that runs guests has it.
        save.efer = unsafe { rdmsr(IA32_EFER) };
    }

    /// Makes the next entry begin at `entry`, on a fresh stack, with `argument` in DI.
    pub fn begin_at(&mut self, entry: extern "C" fn() -> !, argument: usize) {
        self.world.registers = GeneralRegisters { di: argument, ..GeneralRegisters::default() };
        self.vmcb.save.rip = entry as usize as u64;
        self.vmcb.save.rsp = boot::guest_stack();
        self.vmcb.save.rflags = FLAGS_AT_START;
    }

    /// Runs the guest until its next exit.
    pub fn enter(&mut self, passage: &mut Passage) {
        self.world.passage = *passage;
        // SAFETY: the guest is this kernel's own code; the host was prepared before there were guests.
        as_guest(|| unsafe { world::switch(&mut self.vmcb, &mut self.world) });
        *passage = self.world.passage;
        self.vmcb.control.event = Event::NONE;
    }

    /// Why the guest was left.
    pub fn exit_code(&self) -> u64 {
        self.vmcb.control.exit_code
    }

    /// What the processor says beside the exit code.
    pub fn exit_information(&self) -> u64 {
        self.vmcb.control.exit_information[0]
    }

    /// The next instruction's address.
    pub fn instruction(&self) -> u64 {
        self.vmcb.save.rip
    }

    /// The mode of the guest's next instruction; what interrupts it goes to the kernel.
    pub fn mode(&self) -> Mode {
        match self.vmcb.save.ring {
            3 if !self.is_interrupted() => Mode::User,
            _ => Mode::Kernel,
        }
    }

    /// The mode that the guest is in, whatever interrupts it.
    pub fn ring(&self) -> Mode {
        if self.vmcb.save.ring == 3 { Mode::User } else { Mode::Kernel }
    }

    /// Goes on behind an instruction of `length` bytes that the host has carried out. (QEMU does
    /// not offer the next instruction's address; none of ours bears a prefix.)
    pub fn skip(&mut self, length: u64) {
        self.vmcb.save.rip += length;
        self.vmcb.control.interrupt_shadow = 0;
    }

    /// Delivers this event before the guest's next instruction.
    pub fn inject(&mut self, event: Event) {
        self.vmcb.control.event = event;
    }

    /// Delivers an interrupt as soon as the guest takes interrupts.
    pub fn request(&mut self, interrupt: VirtualInterrupt) {
        self.vmcb.control.virtual_interrupt = interrupt;
    }

    /// Takes back the interrupt that has been requested, if it was not delivered yet.
    pub fn withdraw_interrupt(&mut self) -> VirtualInterrupt {
        mem::replace(&mut self.vmcb.control.virtual_interrupt, VirtualInterrupt::NONE)
    }

    /// Leaves the guest at its next `iret`, on behalf of an NMI.
    pub fn watch_interrupt_return(&mut self, watch: Watch) {
        self.watches_return = watch;
        self.set_crossings();
    }

    /// Leaves the guest at each instruction that leads from ring to ring.
    pub fn watch_crossings(&mut self, watch: Watch) {
        self.watches_crossings = watch;
        self.set_crossings();
    }

    fn set_crossings(&mut self) {
        let [returns, crossings] = [self.watches_return, self.watches_crossings].map(|watch| watch == Watch::On);
        let intercepts = &mut self.vmcb.control.intercepts;
        intercepts.set(Intercepts::IRET, returns || crossings);
        intercepts.set(Intercepts::SOFTWARE_INTERRUPT, crossings);
    }

    /// Leaves the guest at each exception, before it is delivered; else at single steps only.
    pub fn watch_exceptions(&mut self, watch: Watch) {
        self.vmcb.control.exceptions = match watch {
            Watch::On => u32::MAX,
            Watch::Off => DEBUG_EXCEPTION,
        };
    }

    /// Delivers the exception at which the guest was left.
    pub fn deliver_exception(&mut self, vector: u8) {
        let [error, address] = self.vmcb.control.exit_information;
        if usize::from(vector) == trap::PAGE_FAULT {
            self.vmcb.save.cr2 = address;
        }
        self.inject(Event::exception(vector, error as u32));
    }

    /// Does something happen to the guest before its next instruction?
    pub fn is_interrupted(&self) -> bool {
        self.vmcb.control.event != Event::NONE || self.takes_interrupt()
    }

    /// Does an interrupt wait, and does the guest take interrupts now?
    fn takes_interrupt(&self) -> bool {
        let control = &self.vmcb.control;
        let is_open = self.vmcb.save.rflags & INTERRUPT_FLAG != 0 && control.interrupt_shadow & 1 == 0;
        is_open && control.virtual_interrupt.is_waiting()
    }

    /// Leaves the guest after its next instruction.
    pub fn step(&mut self, watch: Watch) {
        match watch {
            Watch::On => self.vmcb.save.rflags |= TRAP_FLAG,
            Watch::Off => self.vmcb.save.rflags &= !TRAP_FLAG,
        }
    }

    /// AX.
    pub fn rax(&self) -> u64 {
        self.vmcb.save.rax
    }

    /// ECX, which names MSRs, counters and sub-leaves.
    pub fn ecx(&self) -> u32 {
        self.world.registers.cx as u32
    }

    /// The general register with this number, in the order of their encoding.
    pub fn register(&self, number: usize) -> u64 {
        let registers = &self.world.registers;
        match number {
            0 => self.vmcb.save.rax,
            1 => registers.cx as u64,
            2 => registers.dx as u64,
            3 => registers.bx as u64,
            4 => self.vmcb.save.rsp,
            5 => registers.bp as u64,
            6 => registers.si as u64,
            7 => registers.di as u64,
            _ => registers.r8_to_r15[number - 8] as u64,
        }
    }

    /// The arguments of a call: DI, CX.
    pub fn arguments(&self) -> (u64, u64) {
        (self.world.registers.di as u64, self.world.registers.cx as u64)
    }

    /// EDX:EAX.
    pub fn wide(&self) -> u64 {
        (self.world.registers.dx as u64) << 32 | self.vmcb.save.rax & 0xffff_ffff
    }

    /// Sets EDX:EAX.
    pub fn set_wide(&mut self, value: u64) {
        self.world.registers.dx = (value >> 32) as usize;
        self.vmcb.save.rax = value & 0xffff_ffff;
    }

    /// Sets what `cpuid` returns.
    pub fn set_identification(&mut self, leaf: CpuIdResult) {
        self.vmcb.save.rax = leaf.eax.into();
        self.world.registers.bx = leaf.ebx as usize;
        self.world.registers.cx = leaf.ecx as usize;
        self.world.registers.dx = leaf.edx as usize;
    }
}

/// Whether something is watched for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// It is.
    On,
    /// It is not.
    Off,
}
