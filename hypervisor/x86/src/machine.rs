//! The virtual CPU: enter the guest until something must happen, then make it happen.
//!
//! In the order of an exit, which the guide of the crate explains (`pmu::guide::hypervisor`): report what the guest has
//! retired; inject the interrupt if that overflows, in which case the guest executes the instruction that has left it
//! again; carry the instruction out, and report it too, unless it was refused.

mod passage;

use core::ops::ControlFlow::{self, Break, Continue};

use metal::boot::StartInfo;
use metal::vmcb::{ALL_OF_SVM, Event, Intercepts, Vmcb};
use pmu::Mode;
use pmu::arch::x86::guest::{self, Unit};
use pmu::arch::x86::lbr::{self, Lbr};
use pmu::branches::{BranchKind, BranchList, Branches as _};
use pmu::virt::Work;

use crate::identity::{self, Line};
use crate::interrupts::{self, COMMAND_OFFSET, LOCAL_APIC, Nmi};
use crate::linux;
use crate::memory::{Apic, NestedTables, PAGE};
use crate::modes::{self, INVALID_OPCODE};
use crate::permissions::Permissions;
use crate::turns::{self, SLICE};
use crate::world::{Clock, World};

/// Exit codes (APM volume 2, appendix C, "SVM Intercept Exit Codes").
mod exit {
    pub const EXCEPTION: u64 = 0x40;
    pub const LAST_EXCEPTION: u64 = 0x5f;
    pub const INTERRUPT: u64 = 0x60;
    pub const NMI: u64 = 0x61;
    pub const RDPMC: u64 = 0x6f;
    pub const CPUID: u64 = 0x72;
    pub const IRET: u64 = 0x74;
    pub const SOFTWARE_INTERRUPT: u64 = 0x75;
    pub const PAUSE: u64 = 0x77;
    pub const HLT: u64 = 0x78;
    pub const MSR: u64 = 0x7c;
    pub const SHUTDOWN: u64 = 0x7f;
    pub const VMMCALL: u64 = 0x81;
    pub const FIRST_OF_SVM: u64 = 0x80;
    pub const LAST_OF_SVM: u64 = 0x86;
    pub const NESTED_PAGE_FAULT: u64 = 0x400;
}

/// What the guest may ask for by `vmmcall`, in EAX.
mod call {
    /// To end the machine; EDI is 0 if all went well.
    pub const END: u64 = 0;
    /// How many instructions the host has seen, in this guest's ring 3 if EDI is 3, else in ring 0. Returned in RAX.
    pub const BOOK: u64 = 1;
    /// That a shutdown which is about to come is on purpose, in the function at RDI.
    pub const SHUTDOWN: u64 = 2;
}

/// A virtual CPU with a unit.
pub struct Machine<'k> {
    /// The number of the processor that it has.
    cpu: usize,
    vmcb: Vmcb,
    tables: &'k mut NestedTables,
    world: World,
    clock: Clock,
    pub unit: Unit<&'k Line>,
    /// Another unit, to which the guest's is moved at each exit, to show that it can be.
    spare: Option<Unit<&'k Line>>,
    line: &'k Line,
    nmi: Nmi,
    /// EFER and IA32_DEBUGCTL as the guest has written them.
    pub efer: u64,
    pub debug_control: u64,
    /// How many instructions are left of its turn.
    slice: u64,
    /// A physical interrupt waits, which the guest takes as soon as it is entered.
    is_interrupted: bool,
    /// Whether the guest has been in ring 3.
    has_programs: bool,
    /// All that the guest has retired, in ring 0 and in ring 3.
    book: [u64; 2],
    /// The function that is to be the guest's last.
    last_function: Option<u64>,
}

/// Why the machine has ended.
pub enum Ending {
    /// The guest has asked for it.
    Asked { went_well: bool },
    /// A triple fault at this instruction.
    Shutdown { instruction: u64 },
    /// For a reason that the host does not know.
    Unexpected { code: u64, information: [u64; 2], instruction: u64 },
}

impl<'k> Machine<'k> {
    /// The virtual CPU of a processor, around `unit`, whose trigger is `line`, as is that of `spare`.
    pub fn new(
        cpu: usize,
        unit: Unit<&'k Line>,
        spare: Option<Unit<&'k Line>>,
        line: &'k Line,
        tables: &'k mut NestedTables,
    ) -> Self {
        Self {
            cpu,
            vmcb: Vmcb::zeroed(),
            tables,
            world: World::default(),
            clock: Clock::calibrate(),
            unit,
            spare,
            line,
            nmi: Nmi::default(),
            efer: 0,
            debug_control: 0,
            slice: SLICE,
            is_interrupted: false,
            has_programs: false,
            book: [0; 2],
            last_function: None,
        }
    }

    /// Loads Linux.
    pub fn load(&mut self, start: &StartInfo, command_line: &str) {
        linux::load(start, command_line, &mut self.vmcb.save, &mut self.world.registers);
        self.efer = self.vmcb.save.efer;
    }

    /// Begins where the guest has started this processor.
    pub fn begin(&mut self, page: u64) {
        linux::begin_another(page, &mut self.vmcb.save);
        self.efer = self.vmcb.save.efer;
    }

    /// Runs the guest to its end.
    pub fn run(&mut self, permissions: &Permissions) -> Ending {
        let control = &mut self.vmcb.control;
        control.virtualisation = ALL_OF_SVM;
        control.msr_permissions = &raw const *permissions as u64;
        control.address_space = 1;
        (control.nested_paging, control.nested_tables) = (1, self.tables.fill());
        loop {
            self.take_turns();
            let code = self.pass();
            if !self.nmi.is_due()
                && let Break(ending) = self.handle(code)
            {
                return ending;
            }
            if self.vmcb.control.exit_code == exit::SHUTDOWN {
                return Ending::Shutdown { instruction: self.vmcb.save.rip };
            }
        }
    }

    /// Returns the last branches that the guest has had recorded, the newest first.
    pub fn last_branches(&self) -> BranchList<32> {
        let recorder = |device| Lbr::new(device, *lbr::Device::capabilities(device));
        self.unit.branches().map_or_else(BranchList::new, |device| recorder(device).last())
    }

    /// Returns the function that the guest has named as its last.
    pub fn last_function(&self) -> Option<u64> {
        self.last_function
    }

    /// Lets another processor have its turn if this one has had its own.
    fn take_turns(&mut self) {
        if self.slice == 0 {
            turns::pass(self.cpu);
            self.slice = SLICE;
        }
    }

    fn handle(&mut self, code: u64) -> ControlFlow<Ending> {
        match code {
            exit::NMI => {}      // the timer's: a counter is to overflow here
            exit::SHUTDOWN => {} // `run` sees it
            exit::INTERRUPT => self.is_interrupted = true,
            exit::IRET => self.step_over_return(),
            exit::SOFTWARE_INTERRUPT => self.step_into_kernel(),
            exit::EXCEPTION..=exit::LAST_EXCEPTION => self.deliver_exception((code - exit::EXCEPTION) as u8),
            exit::PAUSE => self.let_others_go_on(),
            exit::HLT => self.wait(),
            exit::NESTED_PAGE_FAULT if self.is_at_apic() => self.write_apic(),
            exit::CPUID => self.identify(),
            exit::MSR => self.access_register(),
            exit::RDPMC => {
                let value = self.unit.rdpmc(self.world.registers.cx as u32);
                self.finish(value.map(Some));
            }
            exit::VMMCALL => return self.answer(),
            exit::FIRST_OF_SVM..=exit::LAST_OF_SVM => self.vmcb.control.event = Event::exception(INVALID_OPCODE, 0),
            _ => {
                let (information, instruction) = (self.vmcb.control.exit_information, self.vmcb.save.rip);
                return Break(Ending::Unexpected { code, information, instruction });
            }
        }
        Continue(())
    }

    /// Over the `iret` at which the guest was left, which ends the blocking of NMIs.
    fn step_over_return(&mut self) {
        self.vmcb.control.intercepts.remove(Intercepts::IRET);
        self.vmcb.control.intercepts.insert(Intercepts::INTERRUPT);
        self.step_over_crossing(BranchKind::TrapReturn);
        self.nmi.unblock();
    }

    /// Over the `int` at which the guest was left, which is ring 3's.
    fn step_into_kernel(&mut self) {
        self.vmcb.control.intercepts.remove(Intercepts::SOFTWARE_INTERRUPT);
        self.step_over_crossing(BranchKind::Exception);
    }

    /// An exception, before it is delivered. Among them are `syscall` and `sysret`.
    fn deliver_exception(&mut self, vector: u8) {
        let from = self.place();
        if vector == INVALID_OPCODE
            && let Some(kind) = modes::cross(&mut self.vmcb.save, &mut self.world.registers, self.efer)
        {
            self.vmcb.control.interrupt_shadow = 0;
            self.retire_crossing(from, 1, kind);
            return;
        }
        let [error, address] = self.vmcb.control.exit_information;
        if vector == 14 {
            self.vmcb.save.cr2 = address;
        }
        self.vmcb.control.event = Event::exception(vector, error as u32);
    }

    /// The guest waits for another processor.
    fn let_others_go_on(&mut self) {
        self.skip(2);
        self.slice = 0;
    }

    /// The guest halts until an interrupt. Meanwhile the clock goes on, and nothing retires but the `hlt`.
    fn wait(&mut self) {
        self.vmcb.control.intercepts.remove(Intercepts::HLT);
        self.vmcb.control.intercepts.insert(Intercepts::INTERRUPT);
        let halt = self.vmcb.save.rip;
        while !self.is_interrupted {
            self.vmcb.save.rip = halt;
            self.enter(SLICE);
            self.is_interrupted = self.vmcb.control.exit_code == exit::INTERRUPT;
            if !self.is_interrupted {
                turns::pass(self.cpu);
            }
        }
        self.vmcb.save.rip = halt + 1;
        self.retire(Work::instructions(Mode::Kernel, 1));
    }

    /// Has the guest written to its local APIC?
    fn is_at_apic(&self) -> bool {
        self.vmcb.control.exit_information[1] & !(PAGE - 1) == LOCAL_APIC
    }

    /// Steps over the instruction that writes to the local APIC. If it sends an interrupt it writes to memory instead, and
    /// the host sends it.
    fn write_apic(&mut self) {
        let sends = self.vmcb.control.exit_information[1] & (PAGE - 1) == COMMAND_OFFSET;
        self.map_apic(if sends { Apic::Memory } else { Apic::Writable });
        self.vmcb.control.intercepts.insert(Intercepts::INTERRUPT);
        let retired = self.enter(1);
        self.map_apic(Apic::ReadOnly);
        if sends && retired == 1 {
            interrupts::send_for_guest(self.tables.command());
        }
        self.retire(Work::instructions(Mode::Kernel, retired));
    }

    fn map_apic(&mut self, apic: Apic) {
        self.tables.map_apic(apic);
        self.vmcb.control.tlb_control = 1;
    }

    fn identify(&mut self) {
        let (save, registers) = (&mut self.vmcb.save, &mut self.world.registers);
        let leaf = self.unit.cpuid(save.rax as u32, registers.cx as u32, &identity::beneath);
        (save.rax, registers.bx) = (leaf.eax.into(), leaf.ebx.into());
        (registers.cx, registers.dx) = (leaf.ecx.into(), leaf.edx.into());
        self.skip(2);
    }

    fn access_register(&mut self) {
        let register = self.world.registers.cx as u32;
        let value = self.world.registers.dx << 32 | self.vmcb.save.rax & 0xffff_ffff;
        let is_write = self.vmcb.control.exit_information[0] & 1 != 0;
        let done = if is_write {
            self.write_register(register, value).map(|()| None)
        } else {
            self.read_register(register).map(Some)
        };
        self.finish(done);
    }

    /// Ends an instruction of two bytes that reads EDX:EAX or nothing. If it was refused it has not retired.
    fn finish(&mut self, done: Result<Option<u64>, guest::Injection>) {
        match done {
            Ok(read) => {
                if let Some(value) = read {
                    self.vmcb.save.rax = value & 0xffff_ffff;
                    self.world.registers.dx = value >> 32;
                }
                self.skip(2);
            }
            Err(event) => self.vmcb.control.event = Event::from_bits(event.svm()),
        }
    }

    fn answer(&mut self) -> ControlFlow<Ending> {
        let argument = self.world.registers.di;
        match self.vmcb.save.rax {
            call::END => return Break(Ending::Asked { went_well: argument == 0 }),
            call::BOOK => self.vmcb.save.rax = self.book[usize::from(argument == 3)],
            call::SHUTDOWN => self.last_function = Some(argument),
            _ => {}
        }
        self.skip(3);
        Continue(())
    }

    /// Goes on behind an instruction of `length` bytes that the host has carried out, and reports it.
    fn skip(&mut self, length: u64) {
        let mode = self.mode();
        self.vmcb.save.rip += length;
        self.vmcb.control.interrupt_shadow = 0;
        self.retire(Work::instructions(mode, 1));
    }
}
