//! User programs read %pic once it is lent, and both counters with it.

use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::{Identity, Niagara};
use pmu::driver::{Control, Counters, Image as _};
use pmu::virt::Fault;
use pmu::{CounterSet, Mode};

use crate::niagara::device;

#[test]
fn what_is_lent_can_be_read_and_stays_so_across_runs() {
    for identity in &Identity::ALL {
        let device = device(identity);
        let driver = Niagara::new(&device, identity.capabilities());
        let image = <Niagara<&crate::niagara::Registers> as Counters>::Image::BLANK;
        let user = || device.0.read_from(Mode::User, Asr::Pic).map(|_| ());
        let saved = <Niagara<&crate::niagara::Registers> as Control>::NOTHING_SAVED;
        driver.save(&saved);
        assert_eq!(user(), Err(Fault::Trapped(Mode::Kernel)), "{}", identity.name());
        driver.lend(&image, CounterSet::first(1));
        assert_eq!(user(), Ok(()), "{}", identity.name());
        driver.run(&image, CounterSet::EMPTY);
        assert_eq!(user(), Ok(()), "{}", identity.name());
        driver.lend(&image, CounterSet::EMPTY);
        assert_eq!(user(), Err(Fault::Trapped(Mode::Kernel)), "{}", identity.name());
        assert_eq!(device.0.read_from(Mode::User, Asr::Pcr), Err(Fault::Trapped(Mode::Kernel)));
    }
}
