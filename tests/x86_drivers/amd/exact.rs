//! What Zen 1 to 3 may overcount, and counter 2 of Zen 3, which does not.
//!
//! Source: "perf/amd: Implement erratum #1292 workaround for F19h M00-0Fh" (AMD, linux-kernel, 3 February 2022).

use pmu::arch::x86::amd::{Amd, Device, Identity, Miscount, Select};
use pmu::arch::x86::{Block, Msr, Unattached};
use pmu::driver::Registers;
use pmu::request::Refusal;
use pmu::virt::{Device as _, Kinds, Strict, Unconnected, Work};
use pmu::{Error, Event, Handled, Interrupted, Mode, Request, Unit};

use crate::amd::{Bench, counter, device};
use crate::support::registers::Altered;

/// The events that the patch lists.
const RETIRED: [u64; 13] =
    [0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC8, 0xC9, 0xCA, 0xCC, 0xD1, 0x0001_0000_00C7, 0x0001_0000_00D0];
const EXACT: u64 = 1 << 43;

fn select(number: u8) -> Msr {
    Msr::core_select(Block::Core, number).unwrap()
}

#[test]
fn zen_1_to_3_say_what_they_may_overcount() {
    let says = |family, model, event| {
        let mut capabilities = Identity::ZEN_2.capabilities();
        (capabilities.family, capabilities.model) = (family, model);
        capabilities.miscount(event) == Some(Miscount::Overcounts)
    };
    for (family, model) in [(0x17, 0x01), (0x17, 0x31), (0x19, 0x00), (0x19, 0x0F)] {
        assert!(RETIRED.iter().all(|&code| says(family, model, Event::raw(code))), "{family:#x} {model:#x}");
        assert!(says(family, model, Event::raw(0x01C4)) && says(family, model, Event::BRANCH_MISSES));
        let others = [0xBF, 0xC6, 0xC7, 0xCB, 0xCD, 0xD0, 0x76, 0x0001_0000_00C0].map(Event::raw);
        assert!(others.into_iter().all(|event| !says(family, model, event)) && !says(family, model, Event::CYCLES));
    }
    for (family, model) in [(0x16, 0x00), (0x18, 0x00), (0x19, 0x10), (0x19, 0x21), (0x1A, 0x00)] {
        assert!(!says(family, model, Event::INSTRUCTIONS), "{family:#x} {model:#x}");
    }
}

#[test]
fn an_event_that_is_counted_exactly_is_on_counter_2_and_does_not_interrupt() {
    let exact = |event| Identity::ZEN_3.capabilities().exact(event);
    for code in RETIRED {
        let request = exact(Event::raw(code)).unwrap();
        assert_eq!(request, Event::raw(code | EXACT));
        let bench = Bench::new(&Identity::ZEN_3);
        let [slot] = bench.open([request]).unwrap();
        let select = Select::from_bits_retain(slot.bits);
        assert_eq!((slot.counter, select.contains(Select::INTERRUPT)), (counter(2), false));
        assert!(select.contains(Select::EXACT | Select::ENABLE));
        assert_eq!(bench.open([request]).map_err(|conflict| conflict.requests.len()), Err(1), "a second one");
    }
    assert_eq!(exact(Event::INSTRUCTIONS), Some(Event::raw(EXACT | 0xC0)));
    let again = exact(Event::INSTRUCTIONS).and_then(|event| Identity::ZEN_3.capabilities().miscount(event));
    assert_eq!(again, None, "what counts exactly is not miscounted");
    assert_eq!([Event::CYCLES, Event::raw(0xC6)].map(exact), [None; 2]);
    assert_eq!([Identity::ZEN_2, Identity::ZEN_4].map(|it| it.capabilities().exact(Event::INSTRUCTIONS)), [None; 2]);
}

#[test]
fn what_cannot_be_counted_exactly_is_refused() {
    let refusal = |identity, request: Request| Bench::new(&identity).encode(request).err();
    let instructions = Request::new(Event::raw(EXACT | 0xC0));
    for identity in [Identity::ZEN_2, Identity::ZEN_4, Identity::FAMILY_10H] {
        assert_eq!(refusal(identity, instructions), Some(Refusal::ReservedBits(EXACT)), "{identity:?}");
    }
    let zen_3 = |request| refusal(Identity::ZEN_3, request);
    assert_eq!(zen_3(Request::new(Event::raw(EXACT | 0x76))), Some(Refusal::ReservedBits(EXACT)));
    assert_eq!(zen_3(instructions.pinned_to(counter(0))), Some(Refusal::CounterCannot(counter(0))));
    let sampled = zen_3(instructions.every(1_000_000)).map(|refusal| refusal.to_string());
    assert!(sampled.is_some_and(|said| said.contains("does not interrupt")));
    assert_eq!(zen_3(Request::new(Event::INSTRUCTIONS).every(1_000_000)), None);
}

/// It does not interrupt: the kernel calls the handler, as from its tick. The stepping's selectors do not show bit 43, as
/// counter 0's of a Milan do not.
#[test]
fn an_exact_count_goes_on_past_the_width_of_its_counter() {
    let device = device(&Identity::ZEN_3);
    let hiding = Altered::new(device)
        .reading(|device, at| device.read(at) & if at == select(2) { !EXACT } else { u64::MAX })
        .leaked();
    let unit: &'static Unit<_, 4> = Box::leak(Box::new(Unit::new()));
    let pmu = unit.claim(Amd::<_, _>::detect(&Identity::ZEN_3, hiding, Unattached).unwrap()).unwrap();
    let exact = Identity::ZEN_3.capabilities().exact(Event::INSTRUCTIONS).unwrap();
    let mut session = pmu.open([exact]).unwrap();
    session.start().unwrap();
    assert_eq!(device.read(select(2)) & (EXACT | 1 << 20), EXACT);
    for round in 1..=5 {
        device.advance(&Work::instructions(Mode::Kernel, 1 << 47));
        assert_eq!(session.read().unwrap()[0], round << 47);
        assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::Overflow);
    }
    session.stop().unwrap();
    assert_eq!(session.read().unwrap()[0], 5 << 47);
    assert!(matches!(pmu.open([exact, exact]).map(drop), Err(Error::Conflict(_))));
}

#[test]
fn no_other_counter_and_no_other_processor_takes_the_bit() {
    let kept = |identity: &Identity, number| {
        let device = device(identity);
        device.write(select(number), EXACT | 0xC0);
        device.read(select(number)) & EXACT != 0
    };
    assert_eq!((0..6).filter(|&number| kept(&Identity::ZEN_3, number)).collect::<Vec<_>>(), [2]);
    assert!(!kept(&Identity::ZEN_2, 2) && !kept(&Identity::ZEN_4, 2));
}

#[test]
#[should_panic(expected = "bits are set that this selector does not have")]
fn a_strict_unit_complains_of_the_bit_on_another_counter() {
    Strict(Device::new(&Identity::ZEN_3, Kinds::CLOCK, Unconnected)).write(select(1), EXACT | 0xC0);
}
