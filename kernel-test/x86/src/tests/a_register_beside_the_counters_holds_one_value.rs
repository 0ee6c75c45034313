//! Requests that want different values of one register are refused together: off-core responses, a value for each
//! register that there is, and one more.

use pmu::arch::x86::intel::AuxiliaryRegister;
use pmu::request::{Conflict, Contention};
use pmu::{Error, Event, Pmu, Request};

use crate::guest::truth;
use crate::guest::unit::{self, Driver, Modern, Unit};

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = truth::fingerprint();
    if let Some(conflict) = offcore_conflict(&pmu) {
        assert_eq!(conflict.over, Contention::Register(AuxiliaryRegister::Offcore0.name()));
    }
    assert_eq!(truth::fingerprint(), before, "something was programmed");
}

/// None where there are no such responses.
fn offcore_conflict(pmu: &Pmu<'static, Driver>) -> Option<Conflict> {
    let response = |code, value| Request::new(Event::raw_with(code, value));
    let Some(Modern::Intel(driver)) = unit::modern(pmu.driver()) else { return None };
    let mut codes =
        driver.capabilities().auxiliaries.iter().filter(|event| event.beside.is_alike(AuxiliaryRegister::Offcore0));
    let code = codes.next()?.code;
    Some(match codes.count() {
        0 => conflict(pmu, [1, 2].map(|value| response(code, value))),
        _ => conflict(pmu, [1, 2, 1, 4].map(|value| response(code, value))),
    })
}

fn conflict<const N: usize>(pmu: &Pmu<'static, Driver>, requests: [Request; N]) -> Conflict {
    match pmu.open(requests).err() {
        Some(Error::Conflict(conflict)) => conflict,
        other => panic!("these cannot be together: {other:?}"),
    }
}
