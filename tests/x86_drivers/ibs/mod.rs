//! Instruction-based sampling: what the samplers record, lose and refuse, over their device.

mod errata;
mod fetches;
mod fields;
mod interrupts;
mod ops;
mod refusals;
mod switching;

use pmu::arch::x86::CpuIdReader as _;
use pmu::arch::x86::amd::Identity;
use pmu::arch::x86::amd::ibs::{Capabilities, Device, Fetch, Op};
use pmu::precise::{Record, Records, Sampler};
use pmu::virt::Unconnected;
use pmu::{Event, Handled, Interrupted, Mode, Request};

/// Processors and what CPUID announces on them, as Linux prints it ("AMD IBS detected"); family 10h's first announced
/// nothing.
const FAMILY_10H: Identity = Identity::FAMILY_10H.with_sampling(0x1F);
const FIRST: Identity = Identity::FAMILY_10H.with_sampling(0x1E);
const FAMILY_15H: Identity = Identity::FAMILY_15H.with_sampling(0xFF);
const ZEN_2: Identity = Identity::ZEN_2.with_sampling(0x3FF);
const ZEN_3: Identity = Identity::ZEN_3.with_sampling(0x3FF);
const ZEN_4: Identity = Identity::ZEN_4.with_sampling(0xBFF);
const ALL: [Identity; 6] = [FIRST, FAMILY_10H, FAMILY_15H, ZEN_2, ZEN_3, ZEN_4];

/// The least period of ops.
const PERIOD: u64 = 144;
/// Where the interrupt comes, which no record names.
const AT: Interrupted = Interrupted::new(0xFFFF_8000_0000_1234, Mode::Kernel).in_thread(7);

type Bench = Device<Unconnected>;

fn device(identity: &Identity) -> Bench {
    Device::new(Capabilities::discover(identity).unwrap(), Unconnected)
}

fn op<'d>(identity: &Identity, device: &'d Bench) -> Op<&'d Bench> {
    Op::detect(identity, device).unwrap()
}

fn fetch<'d>(identity: &Identity, device: &'d Bench) -> Fetch<&'d Bench> {
    Fetch::detect(identity, device).unwrap()
}

/// Starts to sample every `period`-th event.
fn start<S: Sampler, const W: usize, const N: usize>(records: &Records<W, N>, of: &S, event: Event, period: u64) {
    let program = records.encode(of, &Request::new(event).every(period)).unwrap();
    records.start(of, program);
}

/// What counts ops where the processor announces that it can, or else cycles, of which each op takes one.
fn ops_of(identity: &Identity) -> Event {
    const VALID_AND_COUNTS_OPS: u32 = 1 << 4 | 1;
    let announced = identity.cpuid2(0x8000_001B, 0).eax;
    if announced & VALID_AND_COUNTS_OPS == VALID_AND_COUNTS_OPS { Op::OPS } else { Event::CYCLES }
}

/// Retires ops at these addresses, and serves the interrupts.
fn retire<const N: usize>(
    device: &Bench,
    records: &Records<11, N>,
    sampler: &impl Sampler,
    ops: impl IntoIterator<Item = u64>,
) {
    for address in ops {
        let is_tagged = device.until_tagged() == Some(0);
        device.retire(&Record::new(address));
        if is_tagged {
            assert_eq!(records.on_interrupt(sampler, AT), Handled::Overflow);
        }
    }
}

/// The addresses of the records that are there.
fn addresses<S: Sampler, const W: usize, const N: usize>(records: &Records<W, N>, sampler: &S) -> Vec<u64> {
    records.read(sampler).unwrap().filter_map(|record| record.address).collect()
}
