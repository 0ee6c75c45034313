//! A program on SPARC reads %pic, whichever processor it runs on.

use pmu::arch::sparc::niagara::{self, Niagara};
use pmu::arch::sparc::ultrasparc::{self, UltraSparc};
use pmu::arch::sparc::{Asr, Half};
use pmu::driver::Driver;
use pmu::virt::{Device, Fault, Work};
use pmu::{Mode, Pmu, Request, Unit, UserPage};

use super::{INSTRUCTIONS, Kinds, USER, Unconnected, leaked, thread_in};

/// `pic` is what the program reads of %pic.
fn is_read<D: Driver>(name: &str, device: &impl Device, driver: D, pic: impl Fn() -> Result<u64, Fault>) {
    let unit = Unit::<D, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let half = |index| if index == 0 { Half::Pic0 } else { Half::Pic1 };
    let page = UserPage::<1>::new();
    let read = || page.read(0, |index| half(index).in_pic(pic().expect("it is lent")));
    let mut thread = thread_in(&pmu, INSTRUCTIONS);
    for slice in 0..20 {
        pmu.lend().unwrap();
        pmu.publish(&thread, &page).unwrap();
        assert_eq!(read(), Some(100 * slice), "{name}");
        // The first few events, and then the rest.
        for done in [3, 14, 15, 16, 100] {
            let so_far = pmu.thread_counts(&thread).unwrap().raw[0] - 100 * slice;
            device.advance(&Work::instructions(Mode::User, done - so_far));
            assert_eq!(read(), Some(100 * slice + done), "{name}");
        }
        pmu.take_back().unwrap();
        pmu.switch_out(&mut thread);
        pmu.publish(&thread, &page).unwrap();
        assert_eq!((read(), pic()), (Some(100 * slice + 100), Err(Fault::Trapped(Mode::Kernel))), "{name}");
        another_runs(&pmu, device);
        pmu.switch_in(&mut thread);
    }
}

/// Another thread has the counters meanwhile.
fn another_runs<D: Driver>(pmu: &Pmu<'_, D>, device: &impl Device) {
    let mut other = thread_in(pmu, Request::new(INSTRUCTIONS.event));
    device.advance(&USER);
    pmu.switch_out(&mut other);
}

#[test]
fn a_program_on_sparc_reads_its_count_from_pic_while_its_thread_counts() {
    for identity in ultrasparc::Identity::ALL {
        let (device, registers) = leaked(ultrasparc::Device::new(&identity, Kinds::CLOCK, Unconnected));
        let driver = UltraSparc::new(registers, identity.capabilities());
        is_read(identity.name(), device, driver, || device.read_from(Mode::User, Asr::Pic));
    }
    for identity in niagara::Identity::ALL {
        let (device, registers) = leaked(niagara::Device::new(&identity, Kinds::CLOCK, Unconnected));
        let driver = Niagara::new(registers, identity.capabilities());
        is_read(identity.name(), device, driver, || device.read_from(Mode::User, Asr::Pic));
    }
}
