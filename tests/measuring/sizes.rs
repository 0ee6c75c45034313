//! The memory that a kernel needs for each thread that is measured.

use core::any::type_name;
use std::sync::Mutex;

use crate::families;
use pmu::arch;
use pmu::arch::powerpc::{classic, embedded};
use pmu::arch::riscv::hpm::sbi::{Host, Sbi};
use pmu::arch::sparc::ultrasparc;
use pmu::arch::x86::{Unattached, intel};
use pmu::arch::{powerpc, sparc, x86};
use pmu::driver::Driver;
use pmu::virt::{Kinds, Unconnected};
use pmu::{Context, Error, Mode, Multiplex};

/// The most bytes of a context of 1, 4 and 8 requests: within a tenth of 256, 640 and 1,152.
const MOST: [usize; 3] = [280, 664, 1184];

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

/// Checks the driver of each family.
macro_rules! check_each {
    ($($isa:ident::$family:ident: $it:ident => $unit:expr, $on:ident => $driver:expr, $fields:expr;)*) => { $(
        {
            use arch::$isa::$family;
            let $it = $family::Identity::ALL[0];
            let unit = $unit;
            let $on = &unit;
            check_of(&$driver);
        }
    )* };
}

fn check_of<D: Driver>(_: &D) {
    check::<D>();
}

#[test]
fn a_context_of_1_4_and_8_requests_takes_at_most_280_664_and_1184_bytes_with_every_driver() {
    families::each!(check_each);
    check::<Sbi<&Host<Unconnected>>>();
    check::<x86::Modern<&intel::Device<Unconnected>, Unattached>>();
    check::<x86::Detected<&intel::Device<Unconnected>, Unattached>>();
    check::<x86::Detected32<&intel::Device<Unconnected>, Unattached>>();
    check::<sparc::Detected<&ultrasparc::Device<Unconnected>>>();
    check::<powerpc::Detected<&classic::Device<Unconnected>, &embedded::Device<Unconnected>>>();
}
