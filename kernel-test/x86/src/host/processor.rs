//! The virtual processor: the guest's registers, and what the host does to them.

use core::mem;

use pmu::Mode;
use x86_64::registers::control::{Cr0, Cr3, Cr4};
use x86_64::registers::model_specific::Efer;

use super::permissions::Permissions;
use super::vmcb::{DEBUG_EXCEPTION, Event, Intercepts, Segment, VirtualInterrupt, VirtualisationIntercepts, Vmcb};
use super::world::{self, GeneralRegisters, Passage, World};
use crate::guest::entry;
use crate::{boot, panic, trap};

/// RFLAGS, bit 8 (TF): trap after the next instruction.
const TRAP_FLAG: u64 = 1 << 8;
/// RFLAGS, bit 9 (IF): interrupts are taken.
const INTERRUPT_FLAG: u64 = 1 << 9;
/// RFLAGS, bit 1: always set.
const FLAGS_AT_START: u64 = 1 << 1;
/// CR4, bit 8 (PCE): ring 3 may read counters.
const NO_USER_COUNTERS: u64 = !(1 << 8);

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
        control.virtualisation = VirtualisationIntercepts::all();
        control.msr_permissions = &raw const *permissions as u64;
        control.address_space = 1;
    }

    fn set_tables(&mut self) {
        const CODE: Segment = Segment::flat(trap::KERNEL_CODE, 0xa9b);
        const DATA: Segment = Segment::flat(trap::KERNEL_DATA, 0xc93);
        let (save, segments) = (&mut self.vmcb.save, trap::segments());
        save.cs = CODE;
        (save.ds, save.es, save.ss) = (DATA, DATA, DATA);
        save.gdtr = Segment::table(segments.entries().as_ptr() as u64, segments.limit());
        save.idtr = Segment::table(entry::table().base(), trap::Table::LIMIT);
    }

    fn set_control_registers(&mut self) {
        let save = &mut self.vmcb.save;
        save.cr0 = Cr0::read_raw();
        save.cr3 = Cr3::read_raw().0.start_address().as_u64();
        save.cr4 = Cr4::read_raw() & NO_USER_COUNTERS;
        save.efer = Efer::read_raw();
    }

    /// Makes the next entry begin at `entry`, on a fresh stack, with `argument` in RDI.
    pub fn begin_at(&mut self, entry: extern "C" fn(usize) -> !, argument: usize) {
        /// A function expects to find a return address above a boundary of 16 bytes.
        const RETURN_ADDRESS: u64 = 8;
        self.world.registers = GeneralRegisters { rdi: argument as u64, ..GeneralRegisters::default() };
        self.vmcb.save.rip = entry as usize as u64;
        self.vmcb.save.rsp = boot::guest_stack() - RETURN_ADDRESS;
        self.vmcb.save.rflags = FLAGS_AT_START;
    }

    /// Runs the guest until its next exit.
    pub fn enter(&mut self, passage: &mut Passage) {
        self.world.passage = *passage;
        // SAFETY: the guest is this kernel's own code; the host was prepared before there were guests.
        panic::as_guest(|| unsafe { world::switch(&mut self.vmcb, &mut self.world) });
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
        match self.vmcb.save.privilege {
            3 if !self.is_interrupted() => Mode::User,
            _ => Mode::Kernel,
        }
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
        if u64::from(vector) == trap::PAGE_FAULT {
            self.vmcb.save.cr2 = address;
        }
        self.inject(Event::exception(vector, trap::has_error_code(vector.into()).then_some(error as u32)));
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

    /// RAX.
    pub fn rax(&self) -> u64 {
        self.vmcb.save.rax
    }

    /// Sets RAX.
    pub fn set_rax(&mut self, value: u64) {
        self.vmcb.save.rax = value;
    }

    /// ECX, which names MSRs, counters and sub-leaves.
    pub fn ecx(&self) -> u32 {
        self.world.registers.rcx as u32
    }

    /// The general register with this number, in the order of their encoding.
    pub fn register(&self, number: usize) -> u64 {
        let registers = &self.world.registers;
        match number {
            0 => self.vmcb.save.rax,
            1 => registers.rcx,
            2 => registers.rdx,
            3 => registers.rbx,
            4 => self.vmcb.save.rsp,
            5 => registers.rbp,
            6 => registers.rsi,
            7 => registers.rdi,
            _ => registers.r8_to_r15[number - 8],
        }
    }

    /// The arguments of a call: RDI, RSI.
    pub fn arguments(&self) -> (u64, u64) {
        (self.world.registers.rdi, self.world.registers.rsi)
    }

    /// EDX:EAX.
    pub fn wide(&self) -> u64 {
        self.world.registers.rdx << 32 | self.vmcb.save.rax & 0xffff_ffff
    }

    /// Sets EDX:EAX.
    pub fn set_wide(&mut self, value: u64) {
        self.world.registers.rdx = value >> 32;
        self.vmcb.save.rax = value & 0xffff_ffff;
    }

    /// Sets what `cpuid` returns.
    pub fn set_identification(&mut self, leaf: core::arch::x86_64::CpuidResult) {
        self.vmcb.save.rax = leaf.eax.into();
        self.world.registers.rbx = leaf.ebx.into();
        self.world.registers.rcx = leaf.ecx.into();
        self.world.registers.rdx = leaf.edx.into();
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
