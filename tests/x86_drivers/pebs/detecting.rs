//! Detection: what it finds, leaves to others and finds out.

use super::*;

use pmu::arch::x86::intel::pebs::Register;
use pmu::arch::x86::{Index, Msr, Window, intel};
use pmu::driver::{Masked, Registers};
use pmu::request::Refusal;
use pmu::virt::{Device as _, Unconnected};
use pmu::{CounterId, CounterSet, Error};

use crate::support::registers::Altered;

#[test]
fn a_processor_without_a_format_that_is_driven_has_none() {
    for (identity, word) in [
        (Identity::SKYLAKE, "01H"),
        (Identity::NEHALEM.with_sampling(0x1C0), "format other than 3 and 4"),
        (Identity::LION_COVE.with_sampling(0x46C0), "format other than 3 and 4"),
    ] {
        let unit = intel::Device::new(&identity, Kinds::CLOCK, Unconnected);
        let found = Pebs::detect(&identity, OfUnit(unit), Unattached, Page::new().0).err().unwrap();
        assert!(matches!(found, Error::NoUnit { reason } if reason.contains(word)), "{found}");
        assert!(Device::new(&identity, Kinds::CLOCK, Unconnected, Page::new()).is_err());
    }
}

/// A unit without sampling.
struct OfUnit(intel::Device<Unconnected>);

impl Registers for OfUnit {
    type Address = Register;
    type Index = Index;
    type Kernel = pmu::OneCpu;

    fn kernel(&self) -> pmu::OneCpu {
        pmu::OneCpu
    }

    fn read(&self, at: Self::Address) -> u64 {
        match at {
            Self::Address::Unit(msr) => self.0.try_read(msr).unwrap_or(0),
            _ => panic!("{at:?} is read before it is known to exist"),
        }
    }

    fn write(&self, at: Self::Address, _: u64) {
        panic!("{at:?} is written");
    }

    fn read_counter(&self, index: Self::Index) -> u64 {
        panic!("{index:?} is read")
    }

    fn ticks(&self) -> u64 {
        0
    }

    fn mask(&self) -> Masked {
        self.0.mask()
    }

    fn unmask(&self, before: Masked) {
        self.0.unmask(before);
    }
}

#[test]
fn sampling_that_firmware_withholds_is_not_there() {
    let device = device(&SKYLAKE, Page::new());
    let misc_enable = Register::Unit(Msr::MISC_ENABLE);
    let altered =
        Altered::new(&device).reading(move |device, at| if at == misc_enable { 1 << 12 } else { device.read(at) });
    let found = Pebs::detect(&SKYLAKE, altered, Unattached, Page::new().0).err().unwrap();
    assert!(found.to_string().contains("IA32_MISC_ENABLE"), "{found}");
}

/// Lets the counter with this number count every instruction for somebody else.
fn use_by_others(device: &Bench, number: u8) {
    device.write(Register::Unit(Msr::select(number).unwrap()), 0x0043_00C0);
    let before = device.read(Register::Unit(Msr::GLOBAL_CONTROL));
    device.write(Register::Unit(Msr::GLOBAL_CONTROL), before | 1 << number);
}

#[test]
fn a_counter_that_counts_for_somebody_else_is_left_out_and_counts_on() {
    for identity in BOTH {
        let device = device(&identity, Page::new());
        use_by_others(&device, 0);
        let of = sampler(&identity, &device);
        let loads = Request::new(EVENT).modes(Modes::USER).every(PERIOD);
        let zero = CounterId::ZERO;
        assert_eq!(of.encode(&loads.pinned_to(zero)), Err(Refusal::UsedByOthers(zero.only())));
        let records = Records::<10, 2>::new();
        start(&records, &of, EVENT, PERIOD);
        device.advance(&many(PERIOD));
        retire_all(&device, &records, &of, [1]);
        let record = records.read(&of).unwrap().next().unwrap();
        assert_eq!(record.counters, CounterId::new(1).map(CounterId::only), "{}", identity.name());
        records.stop(&of, 0).unwrap();
        device.advance(&many(7));
        let others = Register::Unit(Msr::counter(Window::Narrow, 0).unwrap());
        assert_eq!(device.read(others), PERIOD + 1 + 7, "{}", identity.name());
    }
}

#[test]
fn a_request_that_only_somebody_elses_counters_could_record_says_whose_they_are() {
    for identity in BOTH {
        let device = device(&identity, Page::new());
        (0..4).for_each(|number| use_by_others(&device, number));
        let refused = sampler(&identity, &device).encode(&Request::new(EVENT).modes(Modes::USER).every(PERIOD));
        assert_eq!(refused, Err(Refusal::UsedByOthers(CounterSet::first(4))), "{}", identity.name());
    }
}

#[test]
fn a_unit_that_swallows_writes_is_found_out_and_detection_leaves_another_as_it_was() {
    for identity in BOTH {
        let device = device(&identity, Page::new());
        let deaf = Altered::new(&device).writing(|_, _, _| ());
        let error = Pebs::detect(&identity, deaf, Unattached, device.memory().0).err();
        assert_eq!(error, Some(Error::Swallowed { register: 0x186, wrote: 0xFF00, read: 0 }));
        let [counter, alias] =
            [Window::Full, Window::Narrow].map(|window| Register::Unit(Msr::counter(window, 0).unwrap()));
        let held = Altered::new(&device).writing(move |device, at, value| {
            if at != counter && at != alias {
                device.write(at, value);
            }
        });
        let error = Pebs::detect(&identity, held, Unattached, device.memory().0).err();
        assert!(matches!(error, Some(Error::Swallowed { wrote: 0xFFFF, read: 0, .. })), "{error:?}");
        let registers = [counter, Register::Unit(Msr::select(0).unwrap()), Register::Unit(Msr::FIXED_CONTROL)];
        registers[..2].iter().for_each(|&at| device.write(at, 0x41_81D0));
        sampler(&identity, &device);
        assert_eq!(registers.map(|at| device.read(at)), [0x41_81D0, 0x41_81D0, 0]);
    }
}
