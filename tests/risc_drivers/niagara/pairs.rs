//! What is T1's and T2's own of two counters in one register.

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::{Identity, Niagara, Pcr};
use pmu::driver::{Control, Counters, Image as _, Registers as _};
use pmu::{Event, Request};

use super::sharing::{place, preset_beside};
use super::{PIC0, Registers, device, driver};

type Image = <Niagara<Registers> as Counters>::Image;

#[test]
fn a_preset_holds_the_overflows_of_the_counter_beside_it() {
    let beside = preset_beside(&Identity::T2, PIC0.only());
    let writes: Vec<_> = beside.iter().filter(|line| line.starts_with("write %pcr")).collect();
    let holds = |line: &&String| {
        let value = u64::from_str_radix(line.rsplit("0x").next().unwrap(), 16).unwrap();
        Pcr::from_bits_retain(value).contains(Pcr::HOLD)
    };
    assert!(writes.len() == 2 && writes.iter().all(holds), "{beside:?}");
}

/// An overflow bit whose counter is not past its overflow would trap again, and is cleared. The other one stays.
#[test]
fn an_overflow_bit_without_an_overflow_is_cleared_alone() {
    let device = device(&Identity::T2);
    let driver = Niagara::new(&device, Identity::T2.capabilities());
    let image = Image::BLANK;
    let saved = <Niagara<&Registers> as Control>::NOTHING_SAVED;
    driver.save(&saved);
    device.write(Asr::Pcr, (Pcr::OVERFLOW_0 | Pcr::OVERFLOW_1).bits());
    driver.overflowed(&image, PIC0.only(), |_, _| panic!("its value says that it has not"));
    let left = Pcr::from_bits_retain(device.read(Asr::Pcr));
    assert!(left.contains(Pcr::OVERFLOW_1) && !left.contains(Pcr::OVERFLOW_0), "{left:?}");
}

#[test]
fn two_requests_of_t1s_pic0_compete_for_it() {
    let (driver, nothing) = (driver(&Identity::T1), Image::BLANK);
    let requests = [Request::new(Event::raw(2)), Request::new(Event::raw(3))];
    assert!(place(&driver, &nothing, &requests).is_err());
    assert!(place(&driver, &nothing, &[requests[0], Request::new(Event::INSTRUCTIONS)]).is_ok());
}
