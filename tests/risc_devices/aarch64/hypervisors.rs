//! Hypervisors: MDCR_EL2 keeps, lends and traps counters.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{Device as _, Fault, Work};

use super::{C, CHAIN, ENABLE, F0, INSTRUCTIONS, counter, device, read, select, start, write};
use crate::support::line::Level;

const TPMCR: u64 = 1 << 5;
const TPM: u64 = 1 << 6;
const HPME: u64 = 1 << 7;
const HPMD: u64 = 1 << 17;
const HCCD: u64 = 1 << 23;
const HLP: u64 = 1 << 26;
const HPMFZO: u64 = 1 << 29;
const DP: u64 = 1 << 5;

const TRAPPED: Fault = Fault::Trapped(Mode::Hypervisor);

/// Every access from EL1, with this MDCR_EL2.
fn under<'l>(identity: &Identity, line: &'l Level, control: u64) -> Device<&'l Level> {
    let device = device(identity, line);
    let outcome = device.write_from(Mode::Hypervisor, SystemRegister::HYPERVISOR_CONTROL, control);
    assert_eq!(outcome, Ok(()));
    device
}

fn read_as_hypervisor(device: &Device<&Level>, at: SystemRegister) -> u64 {
    device.read_from(Mode::Hypervisor, at).unwrap_or_else(|fault| panic!("{at:?}: {fault}"))
}

#[test]
fn after_a_reset_every_event_counter_is_lent() {
    let line = Level::default();
    for identity in Identity::ALL {
        let device = device(&identity, &line);
        let lent = read_as_hypervisor(&device, SystemRegister::HYPERVISOR_CONTROL);
        assert_eq!(lent, identity.control().counters().into(), "{}", identity.name());
    }
}

#[test]
fn what_concerns_the_unit_is_kept_as_its_version_has_it() {
    let line = Level::default();
    let kept = Identity::ALL
        .map(|identity| read_as_hypervisor(&under(&identity, &line, u64::MAX), SystemRegister::HYPERVISOR_CONTROL));
    let (v3, p1) = (0xFF, 0xFF | HPMD);
    let (p5, p7) = (p1 | HCCD | HLP, p1 | HCCD | HLP | HPMFZO);
    assert_eq!(kept, [v3, p1, p1, p5, p7, p7, p7]);
}

#[test]
fn the_register_is_el2s_and_not_there_without_one() {
    let line = Level::default();
    let with = device(&Identity::NEOVERSE_N1, &line);
    assert_eq!(with.read_from(Mode::Kernel, SystemRegister::HYPERVISOR_CONTROL), Err(Fault::Absent));
    let without = device(&Identity::NEOVERSE_N1.for_guest(), &line);
    for mode in [Mode::Kernel, Mode::Hypervisor] {
        assert_eq!(without.read_from(mode, SystemRegister::HYPERVISOR_CONTROL), Err(Fault::Absent));
    }
}

#[test]
fn a_guest_finds_as_many_counters_as_it_is_lent() {
    for (lent, found) in [(4, 4), (6, 6), (31, 6), (0, 0)] {
        let line = Level::default();
        let device = under(&Identity::NEOVERSE_N1, &line, lent);
        assert_eq!(read(&device, SystemRegister::CONTROL) >> 11 & 31, found, "{lent}");
        assert_eq!(read_as_hypervisor(&device, SystemRegister::CONTROL) >> 11 & 31, 6, "{lent}");
    }
}

#[test]
fn a_reserved_counter_is_trapped_below_el2_by_its_number_and_by_the_selector() {
    let line = Level::default();
    let device = under(&Identity::NEOVERSE_N1, &line, 4);
    write(&device, SystemRegister::USER_ENABLE, 1);
    for (mode, number) in [Mode::Kernel, Mode::User].into_iter().flat_map(|mode| (0..31).map(move |n| (mode, n))) {
        let expected = match number {
            0..4 => Ok(0),
            4..6 => Err(TRAPPED),
            _ => Err(Fault::Absent),
        };
        device.write_from(mode, SystemRegister::SELECTOR, number.into()).unwrap();
        for at in [counter(number), select(number), SystemRegister::SELECTED_COUNTER, SystemRegister::SELECTED_SELECT] {
            assert_eq!(device.read_from(mode, at), expected, "{mode} {number} {at:?}");
            assert_eq!(device.write_from(mode, at, 0), expected.map(|_| ()), "{mode} {number} {at:?}");
        }
    }
}

#[test]
fn a_guest_can_neither_see_nor_change_the_bits_of_reserved_counters() {
    let line = Level::default();
    let device = under(&Identity::ARMV9_4, &line, 4);
    for at in [SystemRegister::ENABLE_SET, SystemRegister::INTERRUPT_SET, SystemRegister::OVERFLOW_SET] {
        device.write_from(Mode::Hypervisor, at, 0b111 << 3).unwrap();
        write(&device, at, u64::MAX);
        assert_eq!(read(&device, at), 0b1111 | C | F0, "{at:?}");
        assert_eq!(read_as_hypervisor(&device, at), 0b11_1111 | C | F0, "{at:?}");
    }
    for at in [SystemRegister::ENABLE_CLEAR, SystemRegister::INTERRUPT_CLEAR, SystemRegister::OVERFLOW_CLEAR] {
        write(&device, at, u64::MAX);
        assert_eq!(read_as_hypervisor(&device, at), 0b11 << 4, "{at:?}");
    }
}

#[test]
fn a_guests_reset_and_zeroing_leave_reserved_counters_alone() {
    let line = Level::default();
    let device = under(&Identity::ARMV9_4, &line, 4);
    let fill = || (0..6).for_each(|n| device.write_from(Mode::Hypervisor, counter(n), 9).unwrap());
    let held = || [0, 3, 4, 5].map(|number| read_as_hypervisor(&device, counter(number)));
    fill();
    write(&device, SystemRegister::CONTROL, 1 << 1);
    assert_eq!(held(), [0, 0, 9, 9]);
    fill();
    write(&device, SystemRegister::ZERO, u64::MAX);
    assert_eq!(held(), [0, 0, 9, 9]);
    device.write_from(Mode::Hypervisor, SystemRegister::CONTROL, 1 << 1).unwrap();
    assert_eq!(held(), [0; 4]);
}

#[test]
fn each_half_has_its_own_switch() {
    for (control, enable, expected) in [(0, ENABLE, [5, 0]), (HPME, 0, [0, 5]), (HPME, ENABLE, [5, 5])] {
        let line = Level::default();
        let device = under(&Identity::NEOVERSE_N1, &line, 4);
        for number in [0, 5] {
            device.write_from(Mode::Hypervisor, select(number), INSTRUCTIONS).unwrap();
        }
        device.write_from(Mode::Hypervisor, SystemRegister::ENABLE_SET, 0b10_0001).unwrap();
        device.write_from(Mode::Hypervisor, SystemRegister::HYPERVISOR_CONTROL, 4 | control).unwrap();
        write(&device, SystemRegister::CONTROL, enable);
        device.advance(&Work::instructions(Mode::Kernel, 5));
        assert_eq!([0, 5].map(|number| read_as_hypervisor(&device, counter(number))), expected);
    }
}

#[test]
fn a_reserved_counter_interrupts_by_its_own_halfs_switch() {
    let line = Level::default();
    let device = under(&Identity::NEOVERSE_N1, &line, 4);
    for at in [SystemRegister::INTERRUPT_SET, SystemRegister::OVERFLOW_SET] {
        device.write_from(Mode::Hypervisor, at, 1 << 5).unwrap();
    }
    write(&device, SystemRegister::CONTROL, ENABLE);
    assert!(!device.is_asserted());
    device.write_from(Mode::Hypervisor, SystemRegister::HYPERVISOR_CONTROL, 4 | HPME).unwrap();
    assert_eq!((device.is_asserted(), line.rises()), (true, 1));
}

#[test]
fn lending_a_counter_that_has_overflowed_may_raise_the_line() {
    let line = Level::default();
    let device = under(&Identity::NEOVERSE_N1, &line, 4);
    for at in [SystemRegister::INTERRUPT_SET, SystemRegister::OVERFLOW_SET] {
        device.write_from(Mode::Hypervisor, at, 1 << 5).unwrap();
    }
    write(&device, SystemRegister::CONTROL, ENABLE);
    device.write_from(Mode::Hypervisor, SystemRegister::HYPERVISOR_CONTROL, 6).unwrap();
    assert_eq!(line.rises(), 1);
}

#[test]
fn each_half_has_its_own_width() {
    for (hlp, lp, expected) in [(0, 0, 0b10_0001), (HLP, 0, 0b00_0001), (0, 1 << 7, 0b10_0000)] {
        let line = Level::default();
        let device = under(&Identity::NEOVERSE_N2, &line, 4 | HPME | hlp);
        for number in [0, 5] {
            device.write_from(Mode::Hypervisor, select(number), INSTRUCTIONS).unwrap();
            device.write_from(Mode::Hypervisor, counter(number), 0xFFFF_FFFF).unwrap();
        }
        device.write_from(Mode::Hypervisor, SystemRegister::ENABLE_SET, 0b10_0001).unwrap();
        write(&device, SystemRegister::CONTROL, ENABLE | lp);
        device.advance(&Work::instructions(Mode::Kernel, 1));
        assert_eq!(read_as_hypervisor(&device, SystemRegister::OVERFLOW_SET), expected);
    }
}

#[test]
fn each_half_freezes_by_itself() {
    let counted = |control, overflow: u64| {
        let line = Level::default();
        let device = under(&Identity::ARMV8_7, &line, 4 | HPME | HPMFZO);
        for number in [0, 5] {
            device.write_from(Mode::Hypervisor, select(number), INSTRUCTIONS).unwrap();
        }
        device.write_from(Mode::Hypervisor, SystemRegister::ENABLE_SET, 0b10_0001 | C).unwrap();
        device.write_from(Mode::Hypervisor, SystemRegister::OVERFLOW_SET, overflow).unwrap();
        write(&device, SystemRegister::CONTROL, ENABLE | DP | control);
        device.advance(&Work::instructions(Mode::Kernel, 5));
        [counter(0), counter(5), SystemRegister::CYCLES].map(|at| read_as_hypervisor(&device, at))
    };
    assert_eq!(counted(1 << 9, 1 << 4), [5, 0, 5]);
    assert_eq!(counted(1 << 9, 1 << 3), [0, 5, 0]);
    assert_eq!(counted(0, 1 << 3), [5, 5, 5]);
}

#[test]
fn at_el2_nothing_that_is_lent_counts_if_hpmd_says_so() {
    let counted = |control, dp| {
        let line = Level::default();
        let device = under(&Identity::ARMV9_4, &line, 4 | HPME | control);
        let nsh = 1 << 27;
        for at in [select(0), select(5), SystemRegister::CYCLE_FILTER, SystemRegister::INSTRUCTION_FILTER] {
            device.write_from(Mode::Hypervisor, at, nsh | INSTRUCTIONS).unwrap();
        }
        device.write_from(Mode::Hypervisor, SystemRegister::ENABLE_SET, 0b10_0001 | C | F0).unwrap();
        write(&device, SystemRegister::CONTROL, ENABLE | dp);
        device.advance(&Work::instructions(Mode::Hypervisor, 5));
        let at = [counter(0), counter(5), SystemRegister::CYCLES, SystemRegister::INSTRUCTIONS];
        at.map(|at| read_as_hypervisor(&device, at))
    };
    assert_eq!(counted(0, DP), [5, 5, 5, 5]);
    assert_eq!(counted(HPMD, 0), [0, 5, 5, 0]);
    assert_eq!(counted(HPMD, DP), [0, 5, 0, 0]);
    assert_eq!(counted(HCCD, 0), [5, 5, 0, 5]);
}

#[test]
fn cycles_stop_at_el2_with_the_lent_counters_even_if_none_is_lent() {
    let counted = |dp| {
        let line = Level::default();
        let device = under(&Identity::NEOVERSE_N1, &line, HPMD);
        device.write_from(Mode::Hypervisor, SystemRegister::CYCLE_FILTER, 1 << 27).unwrap();
        device.write_from(Mode::Hypervisor, SystemRegister::ENABLE_SET, C).unwrap();
        write(&device, SystemRegister::CONTROL, ENABLE | dp);
        device.advance(&Work::instructions(Mode::Hypervisor, 5));
        read_as_hypervisor(&device, SystemRegister::CYCLES)
    };
    assert_eq!([0, DP].map(counted), [5, 0]);
}

#[test]
fn tpm_traps_the_whole_unit_below_el2_and_tpmcr_its_control_register() {
    let line = Level::default();
    let all: Vec<_> = (0..=u16::MAX).filter_map(SystemRegister::from_number).collect();
    for (control, mode) in [TPM, TPMCR].into_iter().flat_map(|bit| [(bit, Mode::Kernel), (bit, Mode::User)]) {
        let free = under(&Identity::ARMV9_4, &line, 31);
        let trapping = under(&Identity::ARMV9_4, &line, 31 | control);
        for device in [&free, &trapping] {
            device.write_from(Mode::Hypervisor, SystemRegister::USER_ENABLE, 0b1111).unwrap();
        }
        for &at in all.iter().filter(|&&at| at != SystemRegister::HYPERVISOR_CONTROL) {
            let is_identity = matches!(at.number() >> 7 & 15, 0 | 4);
            let is_trapped = !is_identity && (control == TPM || at == SystemRegister::CONTROL);
            let expected = |free: Result<u64, Fault>| if is_trapped && free.is_ok() { Err(TRAPPED) } else { free };
            assert_eq!(trapping.read_from(mode, at), expected(free.read_from(mode, at)), "{mode} {at:?}");
            assert_eq!(trapping.read_from(Mode::Hypervisor, at), free.read_from(Mode::Hypervisor, at), "{at:?}");
        }
    }
}

#[test]
fn a_user_programs_access_is_refused_by_the_kernel_before_the_hypervisor_hears_of_it() {
    let line = Level::default();
    let device = under(&Identity::NEOVERSE_N1, &line, 4 | TPM);
    assert_eq!(device.read_from(Mode::User, counter(0)), Err(Fault::Trapped(Mode::Kernel)));
    device.write_from(Mode::Hypervisor, SystemRegister::USER_ENABLE, 1).unwrap();
    assert_eq!(device.read_from(Mode::User, counter(0)), Err(TRAPPED));
}

#[test]
fn a_chain_across_the_border_is_as_wide_as_its_even_half() {
    let line = Level::default();
    let device = under(&Identity::NEOVERSE_N2, &line, 3 | HPME | HLP);
    start(&device, 2, INSTRUCTIONS, 0xFFFF_FFFF);
    device.write_from(Mode::Hypervisor, select(3), CHAIN).unwrap();
    device.write_from(Mode::Hypervisor, SystemRegister::ENABLE_SET, 1 << 3).unwrap();
    device.advance(&Work::instructions(Mode::Kernel, 1));
    assert_eq!(read_as_hypervisor(&device, counter(3)), 1);
}

#[test]
fn a_driver_at_el2_has_every_counter() {
    let line = Level::default();
    let device = under(&Identity::NEOVERSE_N1, &line, 2).driven_from(Mode::Hypervisor);
    assert_eq!(device.try_read(counter(5)), Ok(0));
    assert_eq!(device.try_read(SystemRegister::LEVEL), Ok(0b1000));
}
