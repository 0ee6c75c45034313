//! What several tests write into the unit: one counter, counting instructions.
//!
//! Intel SDM volume 3, "Architectural Performance Monitoring": the same in every version. AMD APM
//! volume 2, "Performance Monitoring Counters". The Pentium 4 and the Pentium have other words, which are made from these.

use pmu::CounterId;
use pmu::arch::x86::Msr;
use pmu::arch::x86::netburst::{Cccr, Escr, EscrId};
use pmu::arch::x86::p5::{Cesr, Select};

use crate::guest::msr::{self, Faulted};
use crate::guest::position::{self, Write};
use crate::identity::{self, Processor};

/// Instructions retired in any ring: event C0H, USR, OS, EN, at either vendor.
pub const COUNTING: u64 = 0x43_00c0;
/// The same, and interrupt on overflow (INT).
pub const SAMPLING: u64 = 0x53_00c0;
/// Nothing.
pub const STOPPED: u64 = 0;

/// MSR_IQ_COUNTER4, the Pentium 4's first counter of the independent bank that counts what retires.
const IQ_4: CounterId = CounterId::new(16).unwrap();

/// The counter's number.
pub fn number() -> CounterId {
    match &identity::presented().processor {
        Processor::Netburst(_) => IQ_4,
        _ => CounterId::ZERO,
    }
}

/// The counter's selector: IA32_PERFEVTSEL0, PerfEvtSel0 or PERF_CTL0; the Pentium's CESR, the Pentium 4's MSR_IQ_CCCR4.
pub fn select() -> u32 {
    match &identity::presented().processor {
        Processor::Amd(identity) => Msr::core_select(identity.capabilities().block, 0).map_or(0, Msr::address),
        Processor::Netburst(_) => Cccr::msr(IQ_4).address(),
        Processor::P5(_) => Msr::CESR.address(),
        _ => 0x186,
    }
}

/// The counter: IA32_PMC0, PerfCtr0 or PERF_CTR0; the Pentium's CTR0, the Pentium 4's MSR_IQ_COUNTER4.
pub fn counter() -> u32 {
    match &identity::presented().processor {
        Processor::Amd(identity) => Msr::core_counter(identity.capabilities().block, 0).map_or(0, Msr::address),
        Processor::Netburst(_) => Cccr::counter_msr(IQ_4).address(),
        Processor::P5(_) => Msr::p5_counter(0).map_or(0, Msr::address),
        _ => 0xc1,
    }
}

/// The selector's word for a program, once whatever else the family needs is written.
fn prepare(program: u64) -> Result<u64, Faulted> {
    match &identity::presented().processor {
        Processor::Netburst(_) => {
            msr::write(select(), 0)?;
            msr::write(EscrId::Cru0.msr().address(), escr(program).bits())?;
            Ok(cccr(program).bits())
        }
        Processor::P5(_) => Ok(control(program).bits()),
        _ => Ok(program),
    }
}

/// The event and the modes of a program: instr_retired (NBOGUSNTAG), and mispred_branch_retired for any other event
/// (SDM volume 3, tables of the NetBurst events).
fn escr(program: u64) -> Escr {
    let mut escr = Escr::of(if program & 0xff == 0xc0 { 0x02 } else { 0x03 }, 1);
    escr.set(Escr::T0_USER, program & 1 << 16 != 0);
    escr.set(Escr::T0_KERNEL, program & 1 << 17 != 0);
    escr
}

/// Whether it counts, and whether it interrupts. The counter's number for MSR_CRU_ESCR0 is 4.
fn cccr(program: u64) -> Cccr {
    let mut cccr = Cccr::select(4) | Cccr::active(3);
    cccr.set(Cccr::INTERRUPT_T0, program & 1 << 20 != 0);
    cccr.set(Cccr::ENABLE, program & 1 << 22 != 0);
    cccr
}

/// The first counter's half of CESR: instructions executed (16H), and misses of the data TLB (02H) for any other event (SDM
/// volume 3, table of the Pentium's events).
fn control(program: u64) -> Cesr {
    let mut select = Select::from_bits_retain(if program & 0xff == 0xc0 { 0x16 } else { 0x02 });
    let is_on = program & 1 << 22 != 0;
    select.set(Select::USER, is_on && program & 1 << 16 != 0);
    select.set(Select::KERNEL, is_on && program & 1 << 17 != 0);
    Cesr::default().with(CounterId::ZERO, select)
}

/// Writes the selector.
pub fn set(program: u64) -> Result<(), Faulted> {
    let word = prepare(program)?;
    msr::write(select(), word)
}

/// Goes round the loop so many times, with the selector as `program` says.
pub fn run(program: u64, rounds: u64) {
    let word = prepare(program).expect("every unit has a counter of instructions");
    let select = |value| Write { register: select(), value };
    position::run(select(word), rounds, select(STOPPED));
}

/// Makes the counter start at `value`.
pub fn preset(value: u64) {
    msr::write(counter(), value).expect("every unit has a first counter");
}

/// What the counter reads.
pub fn value() -> u64 {
    let read = match identity::presented().processor.has_rdpmc() {
        true => msr::read_counter(number().number().into()),
        false => msr::read(counter()),
    };
    read.expect("every unit has a first counter")
}

/// Makes the counter overflow on the event with this number, from 1.
pub fn overflow_after(events: u64) {
    preset(events.wrapping_neg());
}

/// Stops the counter.
pub fn stop() {
    set(STOPPED).expect("every unit has a first counter");
}
