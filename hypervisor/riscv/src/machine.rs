//! The virtual hart: enter the guest until something must happen, then make it happen.
//!
//! In the order of an exit, which the guide of the crate explains (`pmu::guide::hypervisor`): report what the guest has
//! retired; make the interrupt pending if that overflows, in which case the guest executes the instruction that has left it
//! again; carry the instruction out, and report it too, unless it was refused.

use core::mem;

use pmu::Mode;
use pmu::arch::riscv::hpm::Capabilities;
use pmu::arch::riscv::hpm::Identity;
use pmu::arch::riscv::hpm::sbi::Host;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};

use crate::calls::{self, Answer};
use crate::clock::{Clock, Deadline};
use crate::csr::{get, put};
use crate::world::{self, World};
use crate::{instructions, interrupts, linux, memory};

/// Why the guest is left (volume II, table "Supervisor cause register (scause) values").
const OVERFLOW: u64 = 1 << 63 | Capabilities::INTERRUPT as u64;
const CALL: u64 = 10;
const INSTRUCTION: u64 = 22;

/// The exceptions that the guest takes itself: of instructions and their addresses, breakpoints, misaligned accesses, accesses
/// that fail, the calls of its user programs, and faults of its own pages.
const EXCEPTIONS: u64 = 0b1011_0001_1111_1111;

/// The unit that the guest is shown: cycle, instret and counters 3 to 10. They must be among those of the machine, which are
/// QEMU's 3 to 18: a read of another is not trapped to the host, but illegal to the guest. The host observes a clock, and counts
/// nothing of what it does itself.
const UNIT: Identity = Identity::RV64.with_counters(0x7fd).fed_by(Kinds::CLOCK);

/// Registers of a call: from a0 on its arguments, a6 and a7.
const ARGUMENTS: usize = 10;
const FUNCTION: usize = 16;
const EXTENSION: usize = 17;

/// A virtual hart with a unit.
pub struct Machine {
    world: World,
    clock: Clock,
    unit: Host<Unconnected>,
    /// Another unit, to which the guest's is moved at each exit, to show that it can be.
    spare: Host<Unconnected>,
}

/// Why the machine has ended.
pub enum Ending {
    /// The guest has asked for it.
    Asked { went_well: bool },
    /// For a reason that the host does not know.
    Unexpected { cause: u64, value: u64, address: u64 },
}

impl Machine {
    /// A hart at Linux' beginning.
    pub fn new() -> Self {
        let [unit, spare] = [(); 2].map(|()| Host::new(&UNIT, Kinds::CLOCK, Unconnected).counting_firmware(0));
        memory::open();
        interrupts::open(&unit);
        calls::stop_all(&unit);
        open();
        let mut world = World { address: linux::ENTRY, ..World::default() };
        world.registers[ARGUMENTS + 1] = linux::DEVICE_TREE;
        world::go_on_in_supervisor_mode();
        Self { world, clock: Clock::new(), unit, spare }
    }

    /// Runs the guest to its end.
    pub fn run(mut self) -> Ending {
        loop {
            let cause = self.pass();
            if interrupts::after(&self.unit) {
                continue;
            }
            match cause {
                OVERFLOW => {}
                CALL => {
                    if let Some(ending) = self.answer() {
                        return ending;
                    }
                }
                INSTRUCTION => self.carry_out(),
                _ => return Ending::Unexpected { cause, value: get!("stval"), address: self.world.address },
            }
        }
    }

    /// As if the guest moved to another host: the unit's registers become bytes, and these another unit's registers.
    fn move_unit(&mut self) {
        self.spare.restore(self.unit.snapshot().as_bytes()).expect("a unit of the same identity takes the snapshot");
        mem::swap(&mut self.unit, &mut self.spare);
    }

    /// Into the guest and out again.
    fn pass(&mut self) -> u64 {
        self.move_unit();
        let left = |mode| self.unit.until_overflow(&Work::instructions(mode, 1));
        self.clock.leave_at(Deadline::new(left(Mode::Kernel), left(Mode::User)));
        let cause = self.world.enter();
        interrupts::before(&self.unit);
        let [supervisor, user] = self.clock.retired();
        // QEMU's clock has counted a call at which the guest is left, as it does no other instruction.
        self.retire(Mode::Kernel, supervisor - u64::from(cause == CALL));
        self.retire(Mode::User, user);
        cause
    }

    fn retire(&self, mode: Mode, instructions: u64) {
        self.unit.advance(&Work::instructions(mode, instructions));
    }

    fn answer(&mut self) -> Option<Ending> {
        let registers = &mut self.world.registers;
        let arguments = core::array::from_fn(|number| registers[ARGUMENTS + number]);
        let (error, value) = match calls::answer(&self.unit, registers[EXTENSION], registers[FUNCTION], arguments) {
            Answer::Returns(Ok(value)) => (0, value),
            Answer::Returns(Err(error)) => (i64::from(error.number()) as u64, 0),
            Answer::Ends { went_well } => return Some(Ending::Asked { went_well }),
        };
        (registers[ARGUMENTS], registers[ARGUMENTS + 1]) = (error, value);
        self.world.address += 4;
        None
    }

    fn carry_out(&mut self) {
        let mode = if world::is_supervisor() { Mode::Kernel } else { Mode::User };
        if instructions::carry_out(&self.unit, &mut self.world) {
            self.world.address += 4;
            self.retire(mode, 1);
            interrupts::after(&self.unit);
        } else {
            instructions::refuse(&mut self.world);
        }
    }
}

/// Lets the guest have what the host does not need to see.
fn open() {
    /// The guest's `wfi` is trapped (VTW), since the clock counts the cycles of waiting; its supervisor has 64 bits (VSXL).
    const STATUS: u64 = 1 << 21 | 2 << 32;
    /// Both halves have floating point (sstatus\[FS\]).
    const FLOATING_POINT: u64 = 3 << 13;
    /// stimecmp is the guest's own (STCE).
    const TIMER: u64 = 1 << 63;
    /// The guest reads the time, and no counter.
    const TIME: u64 = 1 << 1;
    put!("csrw", "hstatus", STATUS);
    put!("csrw", "hedeleg", EXCEPTIONS);
    put!("csrw", "hcounteren", TIME);
    put!("csrw", "henvcfg", TIMER);
    put!("csrw", "htimedelta", 0);
    put!("csrw", "vstimecmp", u64::MAX);
    put!("csrs", "sstatus", FLOATING_POINT);
    put!("csrw", "vsstatus", 0);
    put!("csrw", "vsatp", 0);
}
