//! A block of RISC-V, driven in machine mode by the crate's driver.
//!
//! The block has the counters, their selectors, mcountinhibit, and T-Head's mcounterinten and mcounterof. Our device has the rest
//! of the core: what it says of itself, mie, and so on; the bit of mip is the block's interrupt. Bit 0 of the wires is an
//! instruction that retires, bit n the event with the code n. A block may take some cycles to count what it is told: it gets them
//! before it is read.

use std::path::{Path, PathBuf};

use fastrand::Rng;
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::{Device, Hpm, Identity, Privilege};
use pmu::driver::{Plan as _, Registers as _};
use pmu::virt::{Device as _, Kinds, Unconnected};
use pmu::{CounterId, Event, Mode, Pmu, Request, Unit};

use crate::Sentence;
use crate::block::Block;
use crate::effort;
use crate::machine::{self, Machine};

/// The cycles that a block gets to count what it was told.
const SETTLE: u64 = 8;
/// The accesses and windows of the random run, whole and in short.
const STEPS: [u64; 2] = [50_000, 10_000];
const SEED: u64 = 45;

/// The core around the block.
pub struct Core {
    device: Device<Unconnected>,
    /// The interrupt's bit in mip and mie.
    line: u64,
}

impl machine::Core for Core {
    type Address = Csr;

    fn read(&self, block: &Block, at: Csr) -> u64 {
        match at.number() {
            number if is_blocks(number) => block.read(number),
            0x344 => u64::from(block.interrupts()) * self.line,
            _ => self.device.try_read(at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}")),
        }
    }

    fn write(&self, block: &Block, at: Csr, value: u64) {
        let whole = Csr::from_number(at.number()).unwrap_or(at);
        match at.number() {
            number if !is_blocks(number) => {
                self.device.try_write(at, value).unwrap_or_else(|fault| panic!("writing {at:?}: {fault}"));
            }
            number if at == whole.setting() => block.write(number, block.read(number) | value),
            number if at == whole.clearing() => block.write(number, block.read(number) & !value),
            number => block.write(number, value),
        }
    }

    fn is_enabled(&self) -> bool {
        self.device.try_read(Csr::MIE).is_ok_and(|enabled| enabled & self.line != 0)
    }
}

/// Returns true if the block has the register: mcountinhibit and mhpmevent, mcycle and so on, mcounterinten and mcounterof.
const fn is_blocks(number: u16) -> bool {
    matches!(number, 0x320..=0x33F | 0xB00..=0xB1F | 0x7CA | 0x7CB)
}

type Driver = Hpm<&'static Machine<Core>>;

/// What is tried.
#[derive(Clone)]
struct Subject {
    program: PathBuf,
    identity: Identity,
    /// The codes whose events no wire tells of.
    without: Vec<u64>,
}

/// What a sentence does with the block.
type Run = fn(&Subject);

/// Returns the sentences over a block of the processor. Events with the codes `without` are left out.
pub fn sentences(program: &Path, processor: &str, without: &[u64]) -> Vec<Sentence> {
    let identity = Identity::ALL.into_iter().find(|identity| identity.name() == processor);
    let identity = identity.unwrap_or_else(|| panic!("{processor} is no identity of pmu::arch::riscv::hpm"));
    let subject = Subject { program: program.to_owned(), identity, without: without.to_owned() };
    let all: [(&str, Run); 4] = [
        ("every_event_on_every_counter_counts_what_the_block_is_told", every_event_counts),
        ("a_count_goes_on_over_the_wrap_of_its_counter", wraps),
        ("as_many_overflows_as_interrupts_as_samples", overflows),
        ("the_device_and_the_block_agree_on_random_accesses_and_events", random),
    ];
    let boxed = all.map(|(name, sentence)| {
        let subject = subject.clone();
        let run: Box<dyn FnOnce() + std::panic::UnwindSafe> = Box::new(move || sentence(&subject));
        (name.to_owned(), run)
    });
    boxed.into()
}

/// Returns the interrupt's bit: none, if it does not interrupt.
fn line(identity: &Identity) -> u64 {
    identity.capabilities().interrupt().number().map_or(0, |number| 1 << number)
}

fn claim(subject: &Subject) -> (&'static Machine<Core>, &'static Unit<Driver, 64>, Pmu<'static, Driver>) {
    let Subject { program, identity, .. } = subject;
    let device = Device::new(identity, Kinds::CLOCK, Unconnected);
    let machine = Machine::start(program, Core { device, line: line(identity) });
    let unit: &'static Unit<Driver, 64> = Box::leak(Box::new(Unit::new()));
    let driver = Hpm::detect(machine, Privilege::Machine, &identity.announced()).expect("it is known");
    assert_eq!(driver.capabilities().counters, identity.capabilities().counters, "the counters");
    machine.handle(|at| assert!(unit.on_overflow(at).is_mine(), "the interrupt is the unit's"));
    (machine, unit, unit.claim(driver).expect("nobody has claimed it"))
}

/// The events that the catalogue has and a wire tells of: code and counters.
fn events(pmu: Pmu<'static, Driver>, without: &[u64]) -> impl Iterator<Item = (u64, CounterId)> {
    let description = pmu.description();
    let is_told = |code: &u64| (1..64).contains(code) && !without.contains(code);
    let named = pmu.driver().catalogue().events.iter().filter(move |event| is_told(&event.code));
    named.flat_map(move |event| {
        event.counters.and(description.general).into_iter().map(move |counter| (event.code, counter))
    })
}

/// Shows the block an event so often, with pauses. All others happen too, twice as often.
fn work(machine: &Machine<Core>, code: u64, number: u64) {
    for turn in 0..number {
        machine.present(1 << code | 1, 1);
        machine.present(!(1 << code), turn % 3);
    }
    machine.present(0, SETTLE);
}

fn every_event_counts(subject: &Subject) {
    let (machine, _, pmu) = claim(subject);
    let mut tried = 0;
    for (code, counter) in events(pmu, &subject.without) {
        let mut session = pmu.open([Request::new(Event::raw(code)).pinned_to(counter)]).expect("the counter has it");
        for told in [70, 140] {
            session.start().expect("it is at home");
            work(machine, code, 70);
            session.stop().expect("it is at home");
            work(machine, code, 7);
            let [count] = session.read().expect("it is at home");
            assert_eq!(count, told, "{code:#x} on {counter}: the crate's count and the core's own wires");
        }
        tried += 1;
    }
    assert!(tried > 0, "no event was tried");
    println!("events on counters: {tried}");
}

fn wraps(subject: &Subject) {
    let (machine, _, pmu) = claim(subject);
    for (code, counter) in events(pmu, &subject.without).step_by(7) {
        let mut session = pmu.open([Request::new(Event::raw(code)).pinned_to(counter)]).expect("the counter has it");
        let at = Csr::counter(counter.number()).expect("it has a register");
        let before = machine.read(at);
        let near = pmu.description().general_width.mask() - 5;
        machine.write(at, near);
        session.start().expect("it is at home");
        work(machine, code, 20);
        session.stop().expect("it is at home");
        let [count] = session.read().expect("it is at home");
        assert_eq!(count, 20 + (near - before), "{code:#x} on {counter}: the crate's count and the core's own wires");
    }
}

fn overflows(subject: &Subject) {
    const PERIOD: u64 = 5000;
    let (machine, unit, pmu) = claim(subject);
    for (code, counter) in events(pmu, &subject.without).step_by(29) {
        let request = Request::new(Event::raw(code)).every(PERIOD).pinned_to(counter);
        let mut session = match pmu.open([request]) {
            Err(_) if line(&subject.identity) == 0 => continue,
            session => session.expect("the counter has it"),
        };
        let taken = machine.taken();
        session.start().expect("it is at home");
        machine.present(1 << code, 4 * PERIOD + 50);
        session.stop().expect("it is at home");
        let samples = unit.samples().expect("nobody else reads").by_ref().count() as u64;
        assert_eq!([machine.taken() - taken, samples], [4; 2], "{code:#x} on {counter}: interrupts and samples");
    }
}

/// Returns the number of a counter's registers: those of mcycle and minstret are counters of their own to the crate.
fn register(counter: CounterId) -> u16 {
    u16::from(counter.number() & 31)
}

/// What is written and told to both, at random by a fixed seed. T-Head's block keeps bits of mcounterinten, mcounterof and
/// mcountinhibit for counters that it does not have, and the device does not; its selectors keep 0 of what is no code, and the
/// device's keep it: neither is written. mcycle stands still: the block
/// gets cycles of its own.
fn random(Subject { program, identity, without }: &Subject) {
    let (block, mut rng) = (Block::start(program), Rng::with_seed(SEED));
    let device = Device::new(identity, Kinds::CLOCK, Unconnected);
    let driver = Hpm::detect(&device, Privilege::Machine, &identity.announced()).expect("it is known");
    let named = driver.catalogue().events.iter().map(|event| event.code).filter(|code| !without.contains(code));
    let codes: Vec<_> = named.chain([0]).collect();
    let has_own = identity.capabilities().interrupt().number() == Some(17);
    let own: &[u16] = if has_own { &[0x7CA, 0x7CB] } else { &[] };
    let counters: Vec<_> = identity.capabilities().counters.into_iter().filter(|&id| register(id) > 0).collect();
    let bits = counters.iter().fold(1, |bits, &id| bits | 1 << register(id));
    let numbers = counters.iter().map(|&id| register(id));
    let selects = numbers.clone().filter(|&number| number > 2).map(|number| 0x320 + number);
    let all: Vec<_> =
        numbers.map(|number| 0xB00 + number).chain(selects).chain([0x320]).chain(own.iter().copied()).collect();
    let at = |number| Csr::from_number(number).expect("it is the unit's");
    let write = |number: u16, value| {
        block.write(number, value);
        block.present(0, SETTLE);
        device.try_write(at(number), value).expect("the identity has it");
    };
    let compare = |number: u16, step| {
        let (ours, its) = (device.try_read(at(number)).expect("the identity has it"), block.read(number));
        assert!(ours == its, "{:?}: the device has {ours:#x}, the block {its:#x}; step {step}", at(number));
    };
    device.try_write(Csr::MIE, line(identity)).expect("the identity has it");
    write(0x320, 1);
    for step in 0..effort::whole_or(STEPS[0], STEPS[1]) {
        if rng.bool() {
            let (wires, cycles) = (rng.u64(..), 1 + rng.u64(..) % 8);
            let mut left = cycles;
            while left > 0 {
                left -= block.present(wires, left);
            }
            block.present(0, SETTLE);
            for &id in &counters {
                let select =
                    (register(id) > 2).then(|| device.try_read(at(0x320 + register(id))).expect("it is there"));
                if select.is_none_or(|code| (1..64).contains(&code)) && wires >> (select.unwrap_or(0) & 63) & 1 == 1 {
                    device.feed(id, Mode::Kernel, cycles);
                }
            }
        } else {
            let number = all[rng.usize(..all.len())];
            let value = match number {
                0x320 => rng.u64(..) & rng.u64(..) & bits | 1,
                0x7CA | 0x7CB => rng.u64(..) & bits,
                0x321..=0x33F => codes[rng.usize(..codes.len())],
                0xB00..=0xB1F if rng.bool() => rng.u64(..20).wrapping_neg(),
                _ => rng.u64(..),
            };
            write(number, value);
        }
        compare(all[rng.usize(..all.len())], step);
        assert_eq!(device.is_asserted(), block.interrupts(), "the interrupts, step {step}");
        if step % 32 == 0 {
            all.iter().for_each(|&number| compare(number, step));
        }
    }
}
