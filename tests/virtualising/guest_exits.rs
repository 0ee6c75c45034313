//! A hostile guest leaves in every way there is, on each processor that a host can show it.

use pmu::arch::x86::amd::Svm;
use pmu::arch::x86::guest::{Entry, Identity, Unit, trapped};
use pmu::arch::x86::{CpuIdResult, amd, intel, netburst, p5, p6};
use pmu::virt::{Kind, Kinds, Work};
use pmu::{CounterId, Mode};

use crate::support::line::Line;
use crate::support::{choices, effort};
use choices::Choices;

fn identities() -> impl Iterator<Item = Identity> {
    let of_intel = intel::Identity::ALL.into_iter().map(Identity::Intel);
    let of_amd = amd::Identity::ALL.into_iter().map(Identity::Amd);
    let pentium_4s = netburst::Identity::ALL.into_iter().map(Identity::Netburst);
    let pentiums = p5::Identity::ALL.into_iter().map(Identity::P5);
    of_intel.chain(of_amd).chain(pentium_4s).chain(p6::Identity::ALL.into_iter().map(Identity::P6)).chain(pentiums)
}

fn unit(identity: Identity) -> Unit<Line> {
    Unit::new(identity, Kinds::CLOCK.with(Kind::Branches), Line::default())
}

/// A host that does for its guest whatever an exit can ask for.
struct Host {
    unit: Unit<Line>,
    entry: Entry,
    /// Those that the unit has.
    registers: Vec<u32>,
}

impl Host {
    fn new(identity: Identity) -> Self {
        let unit = unit(identity);
        let registers = trapped().filter(|&register| matches!(unit.rdmsr(register), Some(Ok(_)))).collect();
        Self { unit, entry: Entry::RESET, registers }
    }

    fn exit(&mut self, choices: &mut Choices) {
        match choices.below(16) {
            0..=3 => _ = self.unit.wrmsr(self.register(choices), value(choices)),
            4..=5 => _ = self.unit.rdmsr(self.register(choices)),
            6 => _ = self.unit.rdpmc(value(choices) as u32),
            7 => _ = self.unit.cpuid(choices.word() as u32, choices.byte().into(), &native),
            8..=10 => self.unit.advance(&work(choices)),
            11 => self.stop_at_the_overflow(choices),
            12 => self.feed(choices),
            13 => self.set_modes(choices),
            14 => self.forge(choices),
            _ => self.move_to_another_host(choices),
        }
        if self.unit.trigger().take() {
            _ = self.unit.interrupt(&mut self.entry);
        }
    }

    /// Mostly one that the unit has.
    fn register(&self, choices: &mut Choices) -> u32 {
        match choices.below(8) {
            0 => choices.word() as u32 & 0x1FFF,
            _ => self.registers[choices.word() as usize % self.registers.len()],
        }
    }

    fn stop_at_the_overflow(&self, choices: &mut Choices) {
        let step = work(choices);
        if self.unit.until_overflow(&step) == Some(1) {
            self.unit.advance(&step);
        }
    }

    fn feed(&self, choices: &mut Choices) {
        let any = CounterId::new(choices.byte());
        for counter in self.unit.unfed().into_iter().chain(any) {
            _ = (self.unit.selection(counter), self.unit.until_overflow_of(counter, Mode::User));
            self.unit.feed(counter, Mode::User, value(choices));
        }
    }

    fn set_modes(&mut self, choices: &mut Choices) {
        self.unit.set_debug_control(choices.word());
        self.unit.set_svm([Svm::Off, Svm::Host, Svm::Guest][usize::from(choices.below(3))]);
        self.entry = Entry::from_bits(choices.word() as u32);
    }

    /// Some bytes of a snapshot are the guest's.
    fn forge(&self, choices: &mut Choices) {
        let snapshot = self.unit.snapshot();
        let mut bytes = snapshot.as_bytes().to_vec();
        for _ in 0..=choices.below(3) {
            let at = choices.word() as usize % bytes.len();
            bytes[at] = choices.byte();
        }
        let length = if choices.below(8) == 0 { choices.word() as usize % bytes.len() } else { bytes.len() };
        let is_taken = self.unit.restore(&bytes[..length]).is_ok();
        assert_eq!(self.unit.snapshot().as_bytes(), if is_taken { &bytes } else { snapshot.as_bytes() });
    }

    /// Another host refuses what a unit cannot have, and takes all of this one's.
    fn move_to_another_host(&mut self, choices: &mut Choices) {
        let other = unit(*self.unit.identity());
        other.restore(self.unit.snapshot().as_bytes()).expect("no guest gets a unit into a state that it cannot have");
        assert_eq!(other.snapshot().as_bytes(), self.unit.snapshot().as_bytes());
        self.unit = other;
        if choices.below(64) == 0 {
            self.unit.reset();
        }
    }
}

/// Mostly few bits or many, and counters that are about to overflow.
fn value(choices: &mut Choices) -> u64 {
    match choices.below(6) {
        0 => choices.word(),
        1 => 1 << choices.below(64),
        2 => u64::from(choices.byte()).wrapping_neg(),
        3 => u64::from(choices.byte()).wrapping_neg() & 0xFF_FFFF_FFFF,
        4 => 0x0053_00C0 | choices.word() & 0xFF,
        _ => choices.byte().into(),
    }
}

fn work(choices: &mut Choices) -> Work {
    let mode = [Mode::User, Mode::Kernel, Mode::Hypervisor][usize::from(choices.below(3))];
    let amount = if choices.below(4) == 0 { choices.word() } else { choices.byte().into() };
    Work::instructions(mode, amount).with(Kind::Branches, value(choices))
}

fn native(leaf: u32, subleaf: u32) -> CpuIdResult {
    CpuIdResult { eax: leaf, ebx: u32::MAX, ecx: u32::MAX, edx: subleaf }
}

#[test]
fn whatever_a_guest_leaves_for_its_unit_goes_on_in_a_state_that_it_can_have() {
    let mut bytes = choices::noise(0x2545_F491_4F6C_DD1D);
    for identity in identities() {
        let mut host = Host::new(identity);
        let mut done = 0;
        while done < effort::whole_or(20_000, 2_000) {
            let some: Vec<u8> = bytes.by_ref().take(1 << 16).collect();
            let mut choices = Choices::new(&some);
            while !choices.is_empty() {
                host.exit(&mut choices);
                done += 1;
            }
        }
    }
}
