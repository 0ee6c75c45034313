//! Counters that no program can read are not lent.

use pmu::arch::loongarch::la64::{self, La64};
use pmu::arch::mips::mipsxx::{self, Mipsxx};
use pmu::arch::powerpc::classic::{self, Classic};
use pmu::arch::riscv::hpm::sbi::{Host, Line, Sbi};
use pmu::arch::riscv::hpm::{self, Hpm};
use pmu::arch::x86::{Unattached, p5, p6};
use pmu::driver::Driver;
use pmu::virt::Device;
use pmu::{Error, Unit, UserPage};

use super::{INSTRUCTIONS, Kinds, USER, Unconnected, leaked, thread_in};

/// The thread is lent nothing, and its page has no count while it runs.
fn is_refused<D: Driver>(name: &str, device: &impl Device, driver: D) {
    let unit = Unit::<D, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let page = UserPage::<1>::new();
    let mut thread = thread_in(&pmu, INSTRUCTIONS);
    assert!(matches!(pmu.lend(), Err(Error::Unreadable(_))), "{name}");
    pmu.publish(&thread, &page).unwrap();
    device.advance(&USER);
    let read = |_| unreachable!("{name} has no instruction that reads it");
    assert_eq!((page.read(0, read), page.read_all(read)), (None, [0]), "{name}");
    pmu.switch_out(&mut thread);
    pmu.publish(&thread, &page).unwrap();
    assert_eq!((page.read(0, read), page.read_all(read)), (Some(100), [100]), "{name} has its count when it is out");
}

#[test]
fn a_thread_is_lent_nothing_where_no_program_can_read_its_counters() {
    for identity in [mipsxx::Identity::R10000, mipsxx::Identity::M34K] {
        let (device, registers) = leaked(mipsxx::Device::new(&identity, Kinds::CLOCK, Unconnected));
        is_refused(identity.name(), device, Mipsxx::detect(registers).unwrap());
    }
    let identity = la64::Identity::LOONGSON_3A5000;
    let (device, registers) = leaked(la64::Device::new(&identity, Kinds::CLOCK, Unconnected));
    is_refused(identity.name(), device, La64::detect(registers).unwrap());
    let (device, registers) = leaked(p5::Device::new(&p5::Identity::P5, Kinds::CLOCK));
    is_refused("Pentium", device, p5::P5::detect(&p5::Identity::P5, registers).unwrap());
    let early = p6::Identity::EARLY_PENTIUM_PRO;
    let (device, registers) = leaked(p6::Device::new(&early, Kinds::CLOCK, Unconnected));
    is_refused(early.name(), device, p6::P6::detect(&early, registers, Unattached).unwrap());
    let (device, registers) = leaked(classic::Device::new(&classic::Identity::P604, Kinds::CLOCK, Unconnected));
    is_refused("604", device, Classic::detect(classic::Identity::P604.pvr(), registers).unwrap());
    for identity in [hpm::Identity::RV32, hpm::Identity::RV32_DELEGATED] {
        let (device, registers) = leaked(hpm::Device::new(&identity, Kinds::CLOCK, Unconnected));
        is_refused(
            identity.name(),
            device,
            Hpm::detect(registers, identity.privilege(), &identity.announced()).unwrap(),
        );
    }
    let identity = hpm::Identity::RV32.with_counters(0xFFD);
    let (device, registers) = leaked(Host::new(&identity, Kinds::CLOCK, Unconnected));
    is_refused("a firmware", device, Sbi::detect(registers, &identity.announced(), Line::Local, &[]).unwrap());
}
