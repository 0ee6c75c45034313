//! The virtual processor: enter the guest until something must happen, then make it happen.
//!
//! In the order of an exit, which the guide of the crate explains (`pmu::guide::hypervisor`): report what the guest has
//! retired; make the interrupt pending if that overflows, in which case the guest executes the instruction that has left it
//! again; carry the instruction out, and report it too, unless it was refused.

use core::mem;

use metal::world::{INTERRUPT, SYNCHRONOUS, World};
use metal::{get, put};
use pmu::Mode;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};

use crate::calls::{self, Answer};
use crate::{clock, identification, instructions, interrupts, linux, memory, redistributor, world};

/// Why an instruction has left the guest (ESR_EL2.EC): WFI, what a program of 32 bits has for MRS and MSR (MRC and MCR, MRRC and
/// MCRR), HVC, SMC, MRS or MSR, and a load or store.
const CLASS: u32 = 26;
const WAIT: u64 = 0x01;
const ACCESS_32: u64 = 0x03;
const LONG_ACCESS_32: u64 = 0x04;
const CALL: u64 = 0x16;
const SECURE_CALL: u64 = 0x17;
const ACCESS: u64 = 0x18;
const MEMORY: u64 = 0x24;

/// A virtual processor with a unit.
pub struct Machine {
    world: World,
    identity: Identity,
    unit: Device<Unconnected>,
    /// Another unit, to which the guest's is moved at each exit, to show that it can be.
    spare: Device<Unconnected>,
}

/// Why the machine has ended.
pub enum Ending {
    /// The guest has asked for it.
    Asked { went_well: bool },
    /// For a reason that the host does not know.
    Unexpected { vector: u64, syndrome: u64, address: u64 },
}

impl Machine {
    /// A processor at Linux' beginning.
    pub fn new() -> Self {
        let identity = identification::of_guest();
        let [unit, spare] = [(); 2].map(|()| Device::new(&identity, Kinds::CLOCK, Unconnected));
        memory::open();
        interrupts::open();
        clock::open();
        open();
        let mut world = World { address: linux::ENTRY, state: world::EL1, ..World::default() };
        world.registers[0] = linux::DEVICE_TREE;
        Self { world, identity, unit, spare }
    }

    /// Runs the guest to its end.
    pub fn run(mut self) -> Ending {
        loop {
            let (vector, syndrome) = self.pass();
            if interrupts::after(&self.unit) {
                continue;
            }
            match (vector, syndrome >> CLASS) {
                (INTERRUPT, _) => interrupts::take(),
                (SYNCHRONOUS, WAIT) => self.wait(),
                (SYNCHRONOUS, ACCESS) => self.access(),
                (SYNCHRONOUS, ACCESS_32 | LONG_ACCESS_32) => {
                    instructions::refuse(&mut self.world, instructions::UNDEFINED);
                }
                (SYNCHRONOUS, CALL | SECURE_CALL) => {
                    if let Some(ending) = self.call(syndrome) {
                        return ending;
                    }
                }
                (SYNCHRONOUS, MEMORY) if redistributor::carry_out(&mut self.world) => {
                    self.retire_trapped(Mode::Kernel);
                }
                _ => return Ending::Unexpected { vector, syndrome, address: self.world.address },
            }
        }
    }

    /// As if the guest moved to another host: the unit's registers become bytes, and these another unit's registers.
    fn move_unit(&mut self) {
        self.spare.restore(self.unit.snapshot().as_bytes()).expect("a unit of the same identity takes the snapshot");
        mem::swap(&mut self.unit, &mut self.spare);
    }

    /// Into the guest and out again. Returns by which vector, and the syndrome.
    fn pass(&mut self) -> (u64, u64) {
        self.move_unit();
        let left = |mode| self.unit.until_overflow(&Work::instructions(mode, 1));
        clock::start(left(Mode::Kernel), left(Mode::User));
        let vector = world::enter(&mut self.world);
        let [mut kernel, mut user] = clock::retired();
        let syndrome = get!("esr_el2") & 0xffff_ffff;
        // QEMU's clock has counted the instruction by which the guest is left, but for a load or store.
        if vector == SYNCHRONOUS && syndrome >> CLASS != MEMORY {
            *(if self.world.mode() == Mode::User { &mut user } else { &mut kernel }) -= 1;
        }
        self.retire(Mode::Kernel, kernel);
        self.retire(Mode::User, user);
        (vector, syndrome)
    }

    fn retire(&self, mode: Mode, instructions: u64) {
        self.unit.advance(&Work::instructions(mode, instructions));
    }

    /// The trapped instruction has retired, and the guest goes on behind it.
    fn retire_trapped(&mut self, mode: Mode) {
        self.world.address += 4;
        self.retire(mode, 1);
    }

    fn call(&mut self, syndrome: u64) -> Option<Ending> {
        match calls::answer(self.world.registers[0], self.world.registers[1]) {
            Answer::Returns(value) => self.world.registers[0] = value,
            Answer::Ends { went_well } => return Some(Ending::Asked { went_well }),
        }
        if syndrome >> CLASS == CALL {
            // The guest is behind it already.
            self.retire(Mode::Kernel, 1);
        } else {
            self.retire_trapped(Mode::Kernel);
        }
        None
    }

    fn access(&mut self) {
        let mode = self.world.mode();
        match instructions::carry_out(&self.unit, &self.identity, &mut self.world) {
            Ok(()) => self.retire_trapped(mode),
            Err(exception) => instructions::refuse(&mut self.world, exception),
        }
        interrupts::after(&self.unit);
    }

    /// It comes back when an interrupt is pending, in the guest or in the machine.
    fn wait(&mut self) {
        if !interrupts::is_pending() {
            // SAFETY: nothing changes by waiting.
            unsafe { core::arch::asm!("wfi", options(nomem, nostack)) };
        }
        self.retire_trapped(self.world.mode());
    }
}

/// Lets the guest have what the host does not need to see.
fn open() {
    /// HCR_EL2: a translation (VM), interrupts of the machine are the host's (FMO, IMO, AMO), WFI (TWI), ID registers (TID3) and
    /// SMC (TSC) are trapped, EL1 is AArch64 (RW), pointer authentication is not trapped (APK, API).
    const CONTROL: u64 = 1 << 0 | 0b111 << 3 | 1 << 13 | 1 << 18 | 1 << 19 | 1 << 31 | 0b11 << 40;
    /// MDCR_EL2.TPM: the unit's registers are trapped.
    const TRAP_UNIT: u64 = 1 << 6;
    /// CPTR_EL2: floating point is not trapped; SVE is.
    const FLOATING_POINT: u64 = 0x33ff;
    /// CNTHCTL_EL2.EL1PCTEN and EL1PCEN: the timers are not trapped.
    const TIMERS: u64 = 0b11;
    /// SCTLR_EL1 with nothing on: the bits that are RES1.
    const NOTHING_ON: u64 = 0x30d0_0980;
    put!("hcr_el2", CONTROL);
    put!("mdcr_el2", get!("mdcr_el2") | TRAP_UNIT);
    put!("cptr_el2", FLOATING_POINT);
    put!("cnthctl_el2", get!("cnthctl_el2") | TIMERS);
    put!("cntvoff_el2", 0);
    put!("vpidr_el2", get!("midr_el1"));
    put!("vmpidr_el2", get!("mpidr_el1"));
    put!("sctlr_el1", NOTHING_ON);
}
