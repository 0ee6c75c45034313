//! When a counter overflows, as every x86 unit has it: each family's suite lends its identities, its
//! `device` and its way to `sample` instructions on a counter.

use pmu::Mode;
use pmu::virt::{Device as _, Kinds, Unconnected, Work};

use super::{Device, Identity, device, sample};
use crate::support::hostile::Line;

fn instructions(count: u64) -> Work {
    Work::instructions(Mode::User, count)
}

#[test]
fn the_nth_event_interrupts_and_the_one_before_does_not() {
    for identity in Identity::ALL {
        for n in 1..=2000 {
            let line = Line::default();
            let device = device(&identity, &line);
            sample(&device, 1, n);
            device.advance(&instructions(n - 1));
            assert_eq!(line.pulls(), 0, "{} {n}", identity.name());
            device.advance(&instructions(1));
            assert_eq!(line.pulls(), 1, "{} {n}", identity.name());
        }
    }
}

#[test]
fn every_overflow_interrupts_whether_or_not_the_last_was_seen_to() {
    for identity in Identity::ALL {
        let line = Line::default();
        let device = device(&identity, &line);
        for pulls in 1..=3 {
            sample(&device, 0, 4);
            device.advance(&instructions(4));
            assert_eq!(line.pulls(), pulls, "{}", identity.name());
        }
    }
}

#[test]
fn until_overflow_agrees_with_single_steps() {
    for identity in Identity::ALL {
        for (step, start) in (1..=7).flat_map(|step| (1..=100).map(move |start| (step, start))) {
            let line = Line::default();
            let device = device(&identity, &line);
            sample(&device, 0, start);
            sample(&device, 1, 60);
            let foretold = device.until_overflow(&instructions(step));
            let taken = (1..).find(|_| {
                device.advance(&instructions(step));
                line.pulls() > 0
            });
            assert_eq!(taken, foretold, "{}: from -{start} by {step}", identity.name());
        }
    }
}

#[test]
fn a_restored_unit_overflows_where_the_first_would_have() {
    for identity in Identity::ALL {
        let (here, there) = (Line::default(), Line::default());
        let source = device(&identity, &here);
        sample(&source, 1, 1000);
        source.advance(&instructions(400));
        let target = device(&identity, &there);
        target.restore(source.snapshot().as_bytes()).unwrap();
        assert_eq!(target.until_overflow(&instructions(1)), Some(600), "{}", identity.name());
        target.advance(&instructions(600));
        assert_eq!((there.pulls(), here.pulls()), (1, 0), "{}", identity.name());
        source.advance(&instructions(600));
        assert_eq!(target.state(), source.state(), "{}", identity.name());
    }
}

#[test]
fn a_device_without_a_line_counts_all_the_same() {
    for identity in Identity::ALL {
        let line = Line::default();
        let (with, without) = (device(&identity, &line), Device::new(&identity, Kinds::CLOCK, Unconnected));
        sample(&with, 0, 1);
        sample(&without, 0, 1);
        with.advance(&instructions(2));
        without.advance(&instructions(2));
        assert_eq!((without.state(), line.pulls()), (with.state(), 1), "{}", identity.name());
    }
}
