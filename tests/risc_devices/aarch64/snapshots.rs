//! The state of a guest's unit, saved and restored on another machine.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::Identity;
use pmu::virt::{Device as _, Fault, Work};

use super::line::Line;
use super::model::Model;
use super::{INSTRUCTIONS, counter, device, read, start};
use crate::support::put::put;

/// The contents of a device.
type State = <pmu::arch::aarch64::pmuv3::Device<pmu::virt::Unconnected> as pmu::virt::Device>::State;

/// A state with every bit set that this processor's unit can hold.
fn fullest(identity: &Identity) -> State {
    let model = Model::new(identity);
    let mut state = State::default();
    state.counters = std::array::from_fn(|number| model.counter_bits(number));
    state.selects = std::array::from_fn(|number| model.select_bits(number));
    state.control = model.control_bits();
    state.enable = model.all();
    state.interrupt = model.all();
    state.overflowed = model.all();
    state.selector = 31;
    state.user_enable = model.user_bits();
    state.user_access = if model.version >= 9 { model.all() } else { 0 };
    state.hypervisor_control = model.hypervisor_bits();
    state.phase = 63;
    state.ticks = u64::MAX;
    state
}

#[test]
fn a_snapshot_comes_back_bit_for_bit() {
    for identity in Identity::ALL.into_iter().chain(Identity::ALL.map(Identity::for_guest)) {
        let line = Line::default();
        let device = device(&identity, &line);
        for state in [fullest(&identity), State::default()] {
            assert_eq!(put(&device, &state), Ok(()), "{}", identity.name());
            assert_eq!(device.state(), state, "{}", identity.name());
        }
    }
}

#[test]
fn one_bit_more_than_a_unit_holds_is_refused_and_changes_nothing() {
    for identity in Identity::ALL.into_iter().chain([Identity::NEOVERSE_N2.for_guest()]) {
        let line = Line::default();
        let (device, full) = (device(&identity, &line), fullest(&identity));
        let before = device.state();
        for bit in (0..64).map(|bit| 1 << bit) {
            for forged in with_one_more(full, bit) {
                assert!(matches!(put(&device, &forged), Err(Fault::Reserved | Fault::Absent)), "{forged:x?}");
                assert_eq!(device.state(), before);
            }
        }
    }
}

/// Every state that differs from this one by `bit`, set in one register that lacks it.
fn with_one_more(full: State, bit: u64) -> Vec<State> {
    let mut forged = Vec::new();
    let mut forge = |change: &dyn Fn(&mut State) -> &mut u64| {
        let mut state = full;
        *change(&mut state) |= bit;
        forged.extend((state != full).then_some(state));
    };
    (0..33).for_each(|number| forge(&|state| &mut state.counters[number]));
    (0..33).for_each(|number| forge(&|state| &mut state.selects[number]));
    forge(&|state| &mut state.control);
    forge(&|state| &mut state.enable);
    forge(&|state| &mut state.interrupt);
    forge(&|state| &mut state.overflowed);
    forge(&|state| &mut state.selector);
    forge(&|state| &mut state.user_enable);
    forge(&|state| &mut state.user_access);
    forge(&|state| &mut state.hypervisor_control);
    forge(&|state| &mut state.phase);
    forged
}

#[test]
fn an_absent_counter_with_a_value_is_absent() {
    let line = Line::default();
    let device = device(&Identity::CORTEX_A57.for_guest(), &line);
    let with = |change: fn(&mut State)| {
        let mut state = State::default();
        change(&mut state);
        put(&device, &state)
    };
    assert_eq!(with(|state| state.counters[6] = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.selects[32] = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.user_access = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.hypervisor_control = 1), Err(Fault::Absent));
    assert_eq!(with(|state| state.counters[5] = 1 << 32), Err(Fault::Reserved));
    assert_eq!(with(|state| state.counters[31] = u64::MAX), Ok(()));
}

#[test]
fn a_restored_unit_overflows_where_the_first_would_have() {
    let (here, there) = (Line::default(), Line::default());
    let source = device(&Identity::NEOVERSE_N1, &here);
    start(&source, 2, INSTRUCTIONS, 1000u64.wrapping_neg());
    source.advance(&Work::instructions(Mode::Kernel, 400));
    let target = device(&Identity::NEOVERSE_N1, &there);
    target.restore(source.snapshot().as_bytes()).unwrap();
    assert_eq!(target.until_overflow(&Work::instructions(Mode::Kernel, 1)), Some(600));
    target.advance(&Work::instructions(Mode::Kernel, 600));
    assert_eq!((read(&target, counter(2)), there.rises(), here.rises()), (0, 1, 0));
}

#[test]
fn a_line_that_was_high_is_high_again_without_a_rise() {
    let (here, there) = (Line::default(), Line::default());
    let source = device(&Identity::NEOVERSE_N1, &here);
    start(&source, 0, INSTRUCTIONS, 0xFFFF_FFFF);
    source.advance(&Work::instructions(Mode::Kernel, 1));
    let target = device(&Identity::NEOVERSE_N1, &there);
    target.restore(source.snapshot().as_bytes()).unwrap();
    assert_eq!((target.is_asserted(), there.rises()), (true, 0), "the host tells its interrupt controller itself");
    assert_eq!(read(&target, SystemRegister::OVERFLOW_SET), 1);
}
