//! The interrupt: what it costs, whose it is, and when it comes late.

use super::*;

use pmu::Unit;
use pmu::arch::x86::intel::Intel;
use pmu::arch::x86::intel::pebs::Register;
use pmu::arch::x86::{Apic, Index, Lvtpc, Msr};
use pmu::driver::{Access, Recorder, Registers};

use crate::support::line::Entry;
use crate::support::registers::without_clock;

#[test]
fn an_interrupt_reads_one_register_and_writes_three() {
    for identity in BOTH {
        let device = device(&identity, Page::new());
        let registers = Recorder::<_, 32>::new(&device);
        let of = Pebs::detect(&identity, &registers, Unattached, device.memory().0).unwrap();
        let records = Records::<10, 2>::new();
        let request = Request::new(EVENT).modes(Modes::USER).every(PERIOD);
        records.start(&of, records.encode(&of, &request).unwrap());
        device.advance(&many(PERIOD));
        retire(&device, &one(), &Record::new(1));
        registers.clear();
        assert_eq!(records.on_interrupt(&of, AT), Handled::Overflow);
        let accesses = (0..registers.len()).map(|number| match registers.access(number).unwrap() {
            Access::Read(at, _) => (at, false),
            Access::Write(at, _) => (at, true),
            other => panic!("{other:?}"),
        });
        let select = Register::Unit(Msr::select(0).unwrap());
        let reset = Register::Unit(Msr::GLOBAL_RESET);
        let expected = [(Register::Unit(Msr::GLOBAL_STATUS), false), (select, true), (reset, true), (select, true)];
        assert!(accesses.eq(expected), "{}", identity.name());
    }
}

#[test]
fn an_interrupt_without_a_record_is_somebody_elses_and_changes_nothing() {
    let (device, records) = (device(&SKYLAKE, Page::new()), Records::<10, 2>::new());
    let of = sampler(&SKYLAKE, &device);
    assert_eq!(records.on_interrupt(&of, AT), Handled::NotMine, "it has never run");
    start(&records, &of, EVENT, PERIOD);
    device.advance(&many(100));
    assert_eq!(records.on_interrupt(&of, AT), Handled::NotMine);
    assert_eq!(device.until_recorded(&one()), Some(PERIOD - 100));
}

#[test]
fn one_interrupt_after_a_stop_is_claimed_and_the_record_is_the_threads() {
    for identity in BOTH {
        let (device, records) = (device(&identity, Page::new()), Records::<10, 2>::new());
        let of = sampler(&identity, &device);
        start(&records, &of, EVENT, PERIOD);
        device.advance(&many(PERIOD));
        retire(&device, &one(), &Record::new(1));
        records.stop(&of, 3).unwrap();
        let handled = [(); 3].map(|()| records.on_interrupt(&of, AT));
        assert_eq!(handled, [Handled::Late, Handled::NotMine, Handled::NotMine]);
        let record = records.read(&of).unwrap().next().unwrap();
        assert_eq!((record.address, record.interrupted, record.thread), (Some(1), None, 3));
        assert_eq!(record.mode, Some(Mode::User), "no interrupt is needed to know it");
    }
}

#[test]
fn a_line_that_a_late_interrupt_has_masked_interrupts_again() {
    let (entry, device, records) = (Entry::default(), device(&SKYLAKE, Page::new()), Records::<10, 2>::new());
    let line = Apic::x2apic(&entry, Lvtpc::NMI);
    let of = Pebs::detect(&SKYLAKE, &device, line, device.memory().0).unwrap();
    let request = Request::new(EVENT).modes(Modes::USER).every(PERIOD);
    records.start(&of, records.encode(&of, &request).unwrap());
    records.stop(&of, 3).unwrap();
    // The local APIC masks the entry when it accepts the interrupt.
    entry.0.set(Lvtpc::NMI.bits() | 1 << 16);
    assert_eq!(records.on_interrupt(&of, AT), Handled::Late);
    assert_eq!(entry.0.get(), Lvtpc::NMI.bits());
}

/// The unit's registers alone, for its driver beside the sampler.
struct OfUnit<'d>(&'d Bench);

impl Registers for OfUnit<'_> {
    type Address = Msr;
    type Index = Index;

    fn read(&self, at: Msr) -> u64 {
        self.0.read(Register::Unit(at))
    }

    fn write(&self, at: Msr, value: u64) {
        self.0.write(Register::Unit(at), value);
    }

    fn read_counter(&self, index: Index) -> u64 {
        self.0.read_counter(index)
    }

    without_clock! {}
}

/// The unit is asked first, as a handler may that does not know whose the interrupt is.
#[test]
fn the_handler_of_an_idle_unit_lets_sampling_go_on() {
    for identity in BOTH {
        let device = device(&identity, Page::new());
        let unit = Unit::<_, 0>::new();
        let driver = Intel::<_, _>::detect(&identity, OfUnit(&device), Unattached).unwrap();
        let pmu = unit.claim(driver).unwrap();
        drop(pmu.open([Request::new(Event::CYCLES)]).unwrap());
        let (of, records) = (sampler(&identity, &device), Records::<10, 4>::new());
        start(&records, &of, EVENT, PERIOD);
        for address in 1..=3 {
            device.advance(&many(PERIOD));
            assert_eq!(unit.on_overflow(AT), Handled::NotMine, "{}", identity.name());
            retire(&device, &one(), &Record::new(address));
            assert!(device.trigger().take());
            assert_eq!(unit.on_overflow(AT), Handled::NotMine, "{}", identity.name());
            assert_eq!(records.on_interrupt(&of, AT), Handled::Overflow);
        }
        assert_eq!(addresses(&records, &of), [1, 2, 3], "{}", identity.name());
    }
}
