//! What a host has beside its guest: a line that masks itself, counters of its own, work of its own, an older processor.

use std::cell::Cell;

use pmu::arch::x86::amd::device::Svm;
use pmu::arch::x86::{Block, Line, Msr, Unattached, Window, amd, intel};
use pmu::virt::{Device as _, Kind, Trigger, Work};
use pmu::{CounterId, Error, Event, Mediated, Mode, Request};

use crate::mediated::{ALL, Heard, OfAmd, claim, counting, instructions, intel_host};

/// The entry of a local APIC, which masks itself at each interrupt.
#[derive(Debug, Default)]
struct Entry {
    is_masked: Cell<bool>,
    heard: Cell<u32>,
}

impl Trigger for &Entry {
    fn interrupt(&self) {
        if !self.is_masked.replace(true) {
            self.heard.set(self.heard.get() + 1);
        }
    }
}

impl Line for &Entry {
    fn install(&self) -> u64 {
        self.is_masked.replace(false).into()
    }

    fn rearm(&self) {
        self.is_masked.set(false);
    }

    fn restore(&self, before: u64) {
        self.is_masked.set(before != 0);
    }
}

#[test]
fn each_overflow_interrupts_over_a_line_that_masks_itself() {
    let entry: &'static Entry = Box::leak(Box::new(Entry { is_masked: Cell::new(true), heard: Cell::new(0) }));
    let processor: &'static intel::Device<&Entry> =
        Box::leak(Box::new(intel::Device::new(&intel::Identity::SKYLAKE, ALL, entry)));
    let pmu = claim(intel::Intel::<_, _>::detect(&intel::Identity::SKYLAKE, processor, entry));
    let mut mediated = Mediated::new(pmu, counting(100)).unwrap();
    for overflow in 1..=3 {
        mediated.enter().unwrap();
        processor.advance(&instructions(100));
        mediated.exit().unwrap();
        assert_eq!(entry.heard.get(), overflow);
        mediated.interrupted().unwrap();
        let guest = mediated.guest().unwrap();
        assert_eq!(guest.trigger().0.get(), overflow.into());
        guest.try_write(Msr::counter(Window::Full, 0).unwrap(), (1 << 48) - 100).unwrap();
    }
    mediated.release().unwrap();
    pmu.release().unwrap();
    assert!(entry.is_masked.get(), "it is as it was");
}

#[test]
fn while_a_guest_runs_no_counter_of_the_hosts_counts_and_none_of_the_guests_while_the_host_does() {
    let (processor, pmu) = intel_host(&intel::Identity::SKYLAKE);
    let pinned = |number| Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::new(number).unwrap());
    let mut session = pmu.open([pinned(0), pinned(1), pinned(32)]).unwrap();
    session.start().unwrap();
    processor.advance(&instructions(10));
    let mut mediated = Mediated::new(pmu, counting(1000)).unwrap();
    for round in 1..4 {
        mediated.enter().unwrap();
        let before = processor.state();
        processor.advance(&instructions(7));
        let after = processor.state();
        assert_eq!((&after.general[1..], after.fixed), (&before.general[1..], before.fixed));
        mediated.exit().unwrap();
        let work = [Mode::User, Mode::Kernel].map(|mode| Work::instructions(mode, 50));
        work.iter().for_each(|work| processor.advance(work));
        assert_eq!(mediated.guest().unwrap().state().general[0], (1 << 48) - 1000 + 7 * round);
    }
    mediated.release().unwrap();
    assert_eq!(session.read(), Ok([10; 3]));
}

/// A pair of AMD's: the event of the odd counter is FFFH, "Merge".
#[test]
fn a_merged_pair_carries_into_its_upper_counter_in_the_real_unit() {
    let new = || OfAmd::new(&amd::Identity::ZEN_4, ALL, Heard::default());
    let processor: &'static OfAmd = Box::leak(Box::new(new()));
    let guest = new();
    for (register, value) in [
        (Msr::core_select(Block::Core, 2), 0x0043_00C0),
        (Msr::core_select(Block::Core, 3), 0xF_0040_00FF),
        (Msr::core_counter(Block::Core, 2), (1 << 48) - 3),
    ] {
        guest.try_write(register.unwrap(), value).unwrap();
    }
    guest.try_write(Msr::CORE_CONTROL, 0b1100).unwrap();
    let pmu = claim(amd::Amd::<_, _>::detect(&amd::Identity::ZEN_4, processor, Unattached));
    let mut mediated = Mediated::new(pmu, guest).unwrap();
    for _ in 0..2 {
        mediated.enter().unwrap();
        processor.set_svm(Svm::Guest);
        processor.advance(&Work::instructions(Mode::User, 10).with(Kind::Branches, 2));
        processor.set_svm(Svm::Off);
        mediated.exit().unwrap();
        processor.advance(&Work::instructions(Mode::Kernel, 1000));
        mediated.guest().unwrap();
    }
    assert_eq!(mediated.guest().unwrap().state().counters[2..4], [17, 1]);
}

#[test]
fn a_host_without_a_control_of_all_counters_passes_none_through() {
    for identity in [amd::Identity::ZEN_2, amd::Identity::FAMILY_15H, amd::Identity::K8] {
        let new = || OfAmd::new(&identity, ALL, Heard::default());
        let processor: &'static OfAmd = Box::leak(Box::new(new()));
        let pmu = claim(amd::Amd::<_, _>::detect(&identity, processor, Unattached));
        assert!(matches!(Mediated::new(pmu, new()), Err(Error::NoPassThrough { .. })), "{}", identity.name());
    }
}
