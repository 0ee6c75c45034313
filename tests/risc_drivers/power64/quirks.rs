//! What processors do differently from their architecture, as far as it is known, and what the driver does about it.

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Book3s, Capabilities, Model, Privilege};
use pmu::driver::{Access, Recorder, Registers};
use pmu::{Event, Interrupted, Mode, Request, Unit};

use crate::power64::{Bench, pvr, spr};
use crate::support::memory::Memory;

const MMCR0: u16 = 795;
const MMCRA: u16 = 786;
const PMC1: u16 = 787;
/// MMCR0's bit for an alert that has occurred.
const PMAO: u64 = 1 << 7;
/// MMCR0's bit that freezes all counters (FC).
const FREEZE: u64 = 1 << 31;
/// MMCRA's bit that has instructions marked.
const SAMPLE_ENABLE: u64 = 1;

type Recorded = Recorder<&'static Memory<Spr>, 4096>;

fn memory() -> &'static Memory<Spr> {
    Box::leak(Box::new(Memory::new()))
}

fn recorded(memory: &'static Memory<Spr>) -> &'static Recorded {
    Box::leak(Box::new(Recorder::new(memory)))
}

/// Returns the values that were written to this register.
fn written(registers: &Recorded, to: u16) -> Vec<u64> {
    let accesses = (0..registers.len()).map(|number| registers.access(number).expect("there is room for all"));
    let values = accesses.filter_map(|access| match access {
        Access::Write(at, value) if at == spr(to) => Some(value),
        _ => None,
    });
    values.collect()
}

/// On POWER8E an alert does not interrupt that software writes (torvalds/linux arch/powerpc/perf/core-book3s.c,
/// pmao_restore_workaround): it would be lost. What was pending before the claim is put back, and is lost there.
#[test]
fn no_operation_writes_an_alert_but_a_release_that_puts_one_back() {
    for model in Model::ALL {
        let memory = memory();
        memory.write(spr(MMCR0), FREEZE | PMAO);
        let registers = recorded(memory);
        let capabilities = Capabilities::discover(pvr(model), Privilege::Supervisor).unwrap();
        let unit = Unit::<_, 16>::new();
        let pmu = unit.claim(Book3s::new(registers, capabilities)).unwrap();
        let mut session = pmu.open([Request::new(Event::CYCLES).every(5000)]).unwrap();
        let overflows = spr(PMC1 + u16::from(session.counter(0).unwrap().number()));
        let alert = || {
            memory.write(overflows, 0x8000_0000);
            memory.write(spr(MMCR0), memory.read(spr(MMCR0)) | PMAO);
        };
        session.start().unwrap();
        alert();
        assert!(unit.on_overflow(Interrupted::new(0x1000, Mode::Kernel)).is_mine(), "{model:?}");
        alert();
        session.stop().unwrap();
        pmu.suspend().unwrap();
        let _ = unit.resume().unwrap();
        drop(session);
        pmu.release().unwrap();
        let mut values = written(registers, MMCR0);
        assert_eq!(values.pop(), Some(FREEZE | PMAO), "{model:?}");
        values.retain(|value| value & PMAO != 0);
        assert_eq!(values, [FREEZE | PMAO], "{model:?}: only the sleep has put it back before");
    }
}

/// Linux sets the bit once the counters run, and clears it while they are frozen; no manual says that it must. Here it is
/// among what is written before they run, and lasts for as long as an event of marked instructions counts.
#[test]
fn instructions_are_marked_from_before_the_counters_run_until_others_do() {
    let registers = recorded(memory());
    let capabilities = Capabilities::discover(pvr(Model::Power9), Privilege::Supervisor).unwrap();
    let unit = Unit::<_, 16>::new();
    let pmu = unit.claim(Book3s::new(registers, capabilities)).unwrap();
    let marked = Request::new(Event::raw(0x4_01E0)); // PM_MRK_INST_CMPL
    registers.clear();
    pmu.count([marked], || ()).unwrap();
    let is_marking: Vec<_> = written(registers, MMCRA).iter().map(|value| value & SAMPLE_ENABLE != 0).collect();
    assert_eq!(is_marking, [true]);
    let position = |wanted: fn(u16, u64) -> bool| {
        (0..registers.len()).position(|number| match registers.access(number) {
            Some(Access::Write(at, value)) => wanted(at.number(), value),
            _ => false,
        })
    };
    let marks = position(|at, value| at == MMCRA && value & SAMPLE_ENABLE != 0);
    let runs = position(|at, value| at == MMCR0 && value & FREEZE == 0);
    assert!(marks.is_some() && marks < runs, "{marks:?}, {runs:?}");
    registers.clear();
    pmu.count([Request::new(Event::raw(0x2_001E))], || ()).unwrap();
    assert_eq!(written(registers, MMCRA).iter().map(|value| value & SAMPLE_ENABLE).collect::<Vec<_>>(), [0]);
}

/// torvalds/linux arch/powerpc/perf/isa207-common.h, MMCRA_THR_CMP_SHIFT and p9_MMCRA_THR_CMP_SHIFT: 32 and 45.
#[test]
fn a_threshold_is_at_bit_45_from_power9_on_and_at_bit_32_on_power8() {
    let held = |model, event, shift: u32| {
        let bench = Bench::new(model);
        bench.open([event]).unwrap();
        bench.run_all();
        bench.register(MMCRA) >> shift & 0x3FF
    };
    let code = 1 << 29 | 0x4_01E0;
    let with = |threshold: u64| Event::raw(threshold << 40 | code);
    assert_eq!(held(Model::Power8, with(0x1F4), 32), 0x1F4);
    assert_eq!(held(Model::Power9, with(0x1F4), 45), 0x1F4);
    assert_eq!(held(Model::Power10, Event::raw_with(code, 0x1F4), 45), 0x1F4);
}
