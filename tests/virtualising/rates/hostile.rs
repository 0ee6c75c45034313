//! A hostile guest that overflows at each event is held to the rate that its host has configured.

use pmu::Mode;
use pmu::arch::x86::guest::{Identity, Unit, trapped};
use pmu::arch::x86::{amd, intel, netburst, p5, p6};
use pmu::virt::{Kind, Kinds, RateLimit, Work};

use super::Line;
use crate::support::choices::{self, Choices};
use crate::support::effort;

/// Interrupts in a slice, steps in a slice, and the least steps to a stop.
const RATE: u32 = 10;
const SLICE: u64 = 1000;
const LEAST: u64 = 50;

fn identities() -> Vec<Identity> {
    let of_intel = intel::Identity::ALL.into_iter().map(Identity::Intel);
    let of_amd = amd::Identity::ALL.into_iter().map(Identity::Amd);
    let older = [
        Identity::Netburst(netburst::Identity::PRESCOTT),
        Identity::P6(p6::Identity::PENTIUM_III),
        Identity::P5(p5::Identity::P5_MMX),
    ];
    of_intel.chain(of_amd).chain(older).collect()
}

/// A virtual processor, whose host stops it where the limit says.
struct Host {
    unit: Unit<RateLimit<Line>>,
    /// The steps of this slice that are left.
    left: u64,
    slices: u64,
    stops: u64,
}

impl Host {
    fn new(identity: Identity) -> Self {
        let line = RateLimit::new(Line::default(), RATE).stopping_after_at_least(LEAST);
        let observed = Kinds::CLOCK.with(Kind::Branches);
        Self { unit: Unit::new(identity, observed, line), left: SLICE, slices: 1, stops: 0 }
    }

    /// Lets the guest run for so many steps.
    fn run(&mut self, mode: Mode, mut steps: u64) {
        let step = Work::instructions(mode, 1);
        while steps > 0 {
            let stop = self.unit.trigger().stop_after(self.unit.until_overflow(&step));
            let runs = stop.unwrap_or(u64::MAX).min(steps).min(self.left);
            self.stops += u64::from(stop == Some(runs));
            self.unit.advance(&Work::instructions(mode, runs));
            (steps, self.left) = (steps - runs, self.left - runs);
            if self.left == 0 {
                (self.left, self.slices) = (SLICE, self.slices + 1);
                self.unit.trigger().allow(RATE);
            }
        }
    }

    fn interrupts(&self) -> u64 {
        self.unit.trigger().trigger().rises()
    }

    fn check(&self) {
        let interrupts = self.interrupts();
        assert!(interrupts <= self.slices * u64::from(RATE), "{interrupts} in {} slices", self.slices);
        assert!(self.stops <= self.slices * SLICE / LEAST, "{} stops in {} slices", self.stops, self.slices);
    }

    /// One operation of the guest: any register, selector or value, or some work.
    fn step(&mut self, registers: &[u32], choices: &mut Choices) {
        let register = registers[usize::from(choices.byte()) % registers.len()];
        match choices.below(8) {
            0 => _ = self.unit.wrmsr(register, choices.word()),
            1 => _ = self.unit.wrmsr(register, 0x0053_00C0 | choices.word() & 0xFF),
            2 => _ = self.unit.wrmsr(register, u64::from(choices.byte()).wrapping_neg() & 0xFF_FFFF_FFFF),
            3 => _ = self.unit.wrmsr(register, 1 << choices.below(64)),
            4 => _ = self.unit.rdmsr(register),
            5 => _ = self.unit.rdpmc(choices.byte().into()),
            6 => self.unit.set_debug_control(choices.word()),
            _ => self.run([Mode::User, Mode::Kernel][usize::from(choices.below(2))], choices.byte().into()),
        }
    }
}

/// The registers that the unit has, from the guest's first attempts.
fn registers(host: &Host) -> Vec<u32> {
    trapped().filter(|&register| matches!(host.unit.rdmsr(register), Some(Ok(_)))).collect()
}

#[test]
fn a_host_is_not_stopped_more_often_than_the_least_number_of_steps_allows() {
    let mut host = Host::new(Identity::Intel(intel::Identity::SKYLAKE));
    for (register, value) in [(0x186, 0x0053_00C0), (0x38F, 1), (0x4C1, (1 << 48) - 1)] {
        assert_eq!(host.unit.wrmsr(register, value), Some(Ok(())));
    }
    for _ in 0..199 {
        assert_eq!(host.unit.wrmsr(0x4C1, (1 << 48) - 1), Some(Ok(())));
        host.run(Mode::User, LEAST);
    }
    assert_eq!(host.slices, 10);
    assert_eq!(host.interrupts(), 10 * u64::from(RATE));
    assert_eq!(host.stops, 9 * u64::from(RATE) + 1, "nine of them were kept back, and came without a stop");
}

#[test]
fn ten_million_operations_on_every_x86_unit_stay_within_the_rate() {
    let mut bytes = choices::noise(0x2545_F491_4F6C_DD1D);
    let identities = identities();
    let each = effort::whole_or(10_000_000, 1_000_000).div_ceil(identities.len() as u64);
    for identity in identities {
        let mut host = Host::new(identity);
        let registers = registers(&host);
        let mut done = 0;
        while done < each {
            let some: Vec<u8> = bytes.by_ref().take(1 << 16).collect();
            let mut choices = Choices::new(&some);
            while !choices.is_empty() {
                host.step(&registers, &mut choices);
                done += 1;
            }
            host.check();
        }
    }
}
