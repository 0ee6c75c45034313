//! Precise event-based sampling: what the sampler records, loses and refuses, over its device.

mod detecting;
mod fields;
mod interrupts;
mod refusals;
mod switching;

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::Identity;
use pmu::arch::x86::intel::pebs::{Device, GuestMemory, Outcome, Pebs};
use pmu::precise::{Record, Records, Sampler as _};
use pmu::virt::{Kind, Kinds, Work};
use pmu::{Event, Handled, Interrupted, Mode, Modes, Request};

use crate::support::effort;
use crate::support::line::Line;

/// Processors and what IA32_PERF_CAPABILITIES has of sampling on them.
const SKYLAKE: Identity = Identity::SKYLAKE.with_sampling(0x3C0);
const SAPPHIRE_RAPIDS: Identity = Identity::SAPPHIRE_RAPIDS.with_sampling(0x44C0);
const BOTH: [Identity; 2] = [SKYLAKE, SAPPHIRE_RAPIDS];

/// MEM_INST_RETIRED.ALL_LOADS, MEM_INST_RETIRED.ALL_STORES, MEM_TRANS_RETIRED.LOAD_LATENCY.
const LOADS: u64 = 0x81D0;
const STORES: u64 = 0x82D0;
const LATENCY: u64 = 0x01CD;

const PERIOD: u64 = 1000;
/// Where the interrupt comes, which no record names.
const AT: Interrupted = Interrupted::new(0xFFFF_8000_0000_1234, Mode::Kernel).in_thread(7);

/// A page of the kernel's, which the host finds at the same addresses.
#[derive(Clone, Copy)]
struct Page(&'static [AtomicU64]);

#[repr(align(4096))]
struct Aligned([AtomicU64; 512]);

impl Page {
    fn new() -> Self {
        Self(&Box::leak(Box::new(Aligned([const { AtomicU64::new(0) }; 512]))).0)
    }

    /// Words for so many records of a processor.
    fn of(identity: &Identity, records: usize) -> Self {
        Self(&Self::new().0[..32 + records * words(identity)])
    }

    fn word(self, address: u64) -> Option<&'static AtomicU64> {
        let offset = address.checked_sub(self.0.as_ptr().addr() as u64)?;
        self.0.get(offset as usize / 8).filter(|_| offset % 8 == 0)
    }
}

impl GuestMemory for Page {
    fn read(&self, address: u64) -> Option<u64> {
        self.word(address).map(|word| word.load(Relaxed))
    }

    fn write(&self, address: u64, value: u64) -> Option<()> {
        self.word(address).map(|word| word.store(value, Relaxed))
    }
}

/// The words of a record that the driver asks for.
fn words(identity: &Identity) -> usize {
    if identity.name() == "Skylake" { 25 } else { 8 }
}

type Bench = Device<Line, Page>;
type Sampler<'d> = Pebs<&'d Bench, Unattached>;

fn device(identity: &Identity, page: Page) -> Bench {
    let kinds = Kinds::CLOCK.with(Kind::Loads).with(Kind::Stores).with(Kind::TakenBranches);
    Device::new(identity, kinds, Line::default(), page).unwrap()
}

fn sampler<'d>(identity: &Identity, device: &'d Bench) -> Sampler<'d> {
    Pebs::detect(identity, device, Unattached, device.memory().0).unwrap()
}

/// Starts to sample every `period`-th event of user programs.
fn start<const N: usize>(records: &Records<10, N>, of: &Sampler<'_>, event: Event, period: u64) {
    let program = records.encode(of, &Request::new(event).modes(Modes::USER).every(period)).unwrap();
    records.start(of, program);
}

/// The event that most tests sample.
const EVENT: Event = Event::raw(LOADS);

/// So many loads of a user program.
fn many(count: u64) -> Work {
    Work::instructions(Mode::User, count).with(Kind::Loads, count)
}

/// One of them.
fn one() -> Work {
    many(1)
}

fn retire(device: &Bench, work: &Work, instruction: &Record) -> Outcome {
    device.retire(work, instruction, &core::array::from_fn(|number| number as u64))
}

/// Retires instructions at these addresses, and serves the interrupts.
fn retire_all<const N: usize>(
    device: &Bench,
    records: &Records<10, N>,
    of: &Sampler<'_>,
    addresses: impl IntoIterator<Item = u64>,
) {
    for address in addresses {
        retire(device, &one(), &Record::new(address));
        if device.trigger().take() {
            assert_eq!(records.on_interrupt(of, AT), Handled::Overflow);
        }
    }
}

/// The addresses of the records that are there.
fn addresses<const N: usize>(records: &Records<10, N>, of: &Sampler<'_>) -> Vec<u64> {
    records.read(of).unwrap().filter_map(|record| record.address).collect()
}

#[test]
fn the_instruction_after_each_nth_is_recorded_and_named() {
    for identity in BOTH {
        for threshold in [1, 3] {
            let device = device(&identity, Page::new());
            let of = sampler(&identity, &device).with_threshold(threshold).unwrap();
            let records = Records::<10, 16>::new();
            for period in [32, PERIOD, 1 << 40] {
                start(&records, &of, EVENT, period);
                for sample in 0..3 {
                    assert_eq!(device.until_recorded(&one()), Some(period), "{}", identity.name());
                    device.advance(&many(period - 10));
                    retire_all(&device, &records, &of, 0x1000 * sample..0x1000 * sample + 11);
                }
                assert_eq!(addresses(&records, &of), [10, 0x100A, 0x200A], "{}: {period}", identity.name());
                records.stop(&of, 0).unwrap();
                assert_eq!(device.until_recorded(&one()), None);
            }
        }
    }
}

#[test]
fn a_million_records_are_all_accounted_for() {
    let half = effort::whole_or(500_000, 100_000);
    for identity in BOTH {
        let device = device(&identity, Page::new());
        let of = sampler(&identity, &device).with_threshold(16).unwrap();
        let records = Records::<10, 1024>::new();
        start(&records, &of, EVENT, PERIOD);
        let mut last = 0;
        for number in 1..=half {
            device.advance(&many(PERIOD));
            assert_eq!(retire(&device, &one(), &Record::new(number)), Outcome::Recorded);
            if device.trigger().take() {
                assert_eq!(records.on_interrupt(&of, AT), Handled::Overflow);
            }
            if number % 512 == 0 {
                for address in addresses(&records, &of) {
                    last += 1;
                    assert_eq!(address, last);
                }
            }
        }
        records.stop(&of, 0).unwrap();
        let statistics = records.statistics();
        assert_eq!((statistics.received, statistics.lost.total(), of.found_full()), (half, 0, 0));
        assert!(addresses(&records, &of).into_iter().eq(last + 1..=half));
    }
}

#[test]
fn what_has_no_room_is_lost_in_the_ring_or_in_the_kernels_memory_and_either_says_so() {
    for identity in BOTH {
        let device = device(&identity, Page::of(&identity, 4));
        let of = sampler(&identity, &device).with_threshold(2).unwrap();
        let records = Records::<10, 2>::new();
        start(&records, &of, EVENT, PERIOD);
        // The interrupt comes late: four are written, and the fifth has no room.
        let mut sample = |address| {
            device.advance(&many(PERIOD));
            retire(&device, &one(), &Record::new(address))
        };
        assert_eq!([1, 2, 3, 4].map(&mut sample), [Outcome::Recorded; 4]);
        assert_eq!([5, 6].map(&mut sample), [Outcome::Full, Outcome::Nothing], "its counter was not reset");
        assert_eq!(records.on_interrupt(&of, AT), Handled::Overflow);
        let statistics = records.statistics();
        assert_eq!((statistics.received, statistics.lost.ring_full, of.found_full()), (2, 2, 1));
        assert_eq!(addresses(&records, &of), [1, 2]);
        // It goes on with a whole period.
        assert_eq!((device.until_recorded(&one()), sample(7)), (Some(PERIOD), Outcome::Recorded));
    }
}
