//! The memory that a kernel needs for each thread that is measured.

use core::any::type_name;
use std::sync::Mutex;

use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::loongarch::la64::{self, La64};
use pmu::arch::mips::mipsxx::{self, Mipsxx};
use pmu::arch::powerpc::book3s::{self, Book3s};
use pmu::arch::powerpc::classic::{self, Classic};
use pmu::arch::powerpc::embedded::{self, Embedded};
use pmu::arch::riscv::hpm::sbi::{Host, Sbi};
use pmu::arch::riscv::hpm::{self, Hpm};
use pmu::arch::sparc::niagara::{self, Niagara};
use pmu::arch::sparc::ultrasparc::{self, UltraSparc};
use pmu::arch::x86::{Unattached, amd, intel, netburst, p5, p6};
use pmu::arch::{powerpc, sparc, x86};
use pmu::driver::Driver;
use pmu::virt::Unconnected;
use pmu::{Context, Error, Multiplex};

/// The most bytes of a context of 1, 4 and 8 requests: within a tenth of 256, 640 and 1,152.
const MOST: [usize; 3] = [272, 664, 1184];

fn check<D: Driver>() {
    let sizes = [size_of::<Context<D, 1>>(), size_of::<Context<D, 4>>(), size_of::<Context<D, 8>>()];
    println!("{sizes:?}: {}", type_name::<D>());
    assert!(sizes.iter().zip(MOST).all(|(size, most)| *size <= most), "{sizes:?}: {}", type_name::<D>());
}

/// As a kernel keeps a thread's, before it knows whether the thread is measured.
#[test]
fn a_context_and_groups_that_take_turns_can_be_statics() {
    type Driver = intel::Intel<&'static intel::Device<Unconnected>, Unattached>;
    static THREAD: Mutex<Context<Driver, 2>> = Mutex::new(Context::new(7));
    static GROUPS: Mutex<Multiplex<Driver, 3, 2>> = Mutex::new(Multiplex::new(8));
    assert_eq!(THREAD.lock().unwrap().thread(), 7);
    let groups = GROUPS.lock().unwrap();
    assert_eq!((groups.current(), groups.counts(2).unwrap_err()), (0, Error::NotBound));
}

type ClassicRegisters = &'static classic::Device<Unconnected>;
type EmbeddedRegisters = &'static embedded::Device<Unconnected>;

#[test]
fn a_context_of_1_4_and_8_requests_takes_at_most_272_664_and_1184_bytes_with_every_driver() {
    check::<intel::Intel<&intel::Device<Unconnected>, Unattached>>();
    check::<amd::Amd<&amd::Device<Unconnected>, Unattached>>();
    check::<netburst::Netburst<&netburst::Device<Unconnected>, Unattached>>();
    check::<p5::P5<&p5::Device>>();
    check::<p6::P6<&p6::Device<Unconnected>, Unattached>>();
    check::<x86::Modern<&intel::Device<Unconnected>, Unattached>>();
    check::<x86::Detected<&intel::Device<Unconnected>, Unattached>>();
    check::<x86::Detected32<&intel::Device<Unconnected>, Unattached>>();
    check::<Pmuv3<&pmuv3::Device<Unconnected>>>();
    check::<Book3s<&book3s::Device<Unconnected>>>();
    check::<Classic<ClassicRegisters>>();
    check::<Embedded<EmbeddedRegisters>>();
    check::<Mipsxx<&mipsxx::Device<Unconnected>>>();
    check::<La64<&la64::Device<Unconnected>>>();
    check::<Hpm<&hpm::Device<Unconnected>>>();
    check::<Sbi<&Host<Unconnected>>>();
    check::<Niagara<&niagara::Device<Unconnected>>>();
    check::<UltraSparc<&ultrasparc::Device<Unconnected>>>();
    check::<sparc::Detected<&ultrasparc::Device<Unconnected>>>();
    check::<powerpc::Detected<ClassicRegisters, EmbeddedRegisters>>();
}
