//! A program on Arm reads its thread's counts without a system call, and no others.

use pmu::arch::aarch64::Index;
use pmu::arch::aarch64::pmuv3::{Device, Identity, Pmuv3};
use pmu::virt::{Device as _, Fault, Kinds, Unconnected, Work};
use pmu::{Context, CounterId, CounterSet, Error, Event, Mode, Pmu, Request, Unit, UserPage};

type Driver<'a> = Pmuv3<&'a Device<Unconnected>>;

const USER: Work = Work::instructions(Mode::User, 100);
const REFUSED: Result<u64, Fault> = Err(Fault::Trapped(Mode::Kernel));

/// One that shows all counters or none, and one that shows each.
const PROCESSORS: [Identity; 2] = [Identity::NEOVERSE_N1.for_guest(), Identity::ARMV9_4.for_guest()];

fn claim<'u, 'd>(unit: &'u Unit<Driver<'d>, 0>, device: &'d Device<Unconnected>) -> Pmu<'u, Driver<'d>> {
    unit.claim(Pmuv3::detect(device).unwrap()).unwrap()
}

/// What the program reads of a counter.
fn peek(device: &Device<Unconnected>, counter: u32) -> Result<u64, Fault> {
    let index = Index::from_number(counter).expect("there is such a counter");
    device.read_from(Mode::User, index.register())
}

fn read(device: &Device<Unconnected>, page: &UserPage<2>) -> [u64; 2] {
    page.read_all(|index| peek(device, index).expect("it is lent"))
}

#[test]
fn a_program_reads_its_counts_wherever_its_thread_was_put() {
    for identity in PROCESSORS {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::new();
        let pmu = claim(&unit, &device);
        let (mut thread, mut other) = (Context::<_, 2>::new(1), Context::<_, 2>::new(2));
        let page = UserPage::<2>::new();
        thread.bind(&pmu, [Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
        other.bind(&pmu, [Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::ZERO)]).unwrap();
        for slice in 1..20 {
            pmu.switch_in(&mut thread);
            pmu.lend().unwrap();
            pmu.publish(&thread, &page).unwrap();
            device.advance(&USER);
            assert_eq!(read(&device, &page), [100 * slice; 2]);
            pmu.take_back().unwrap();
            pmu.switch_out(&mut thread);
            pmu.publish(&thread, &page).unwrap();
            pmu.switch_in(&mut other);
            device.advance(&USER);
            assert_eq!(read(&device, &page), [100 * slice; 2], "no counter is named");
            assert_eq!(peek(&device, 0), REFUSED, "nothing is lent to the other one");
            pmu.switch_out(&mut other);
        }
    }
}

#[test]
fn a_program_sees_nothing_of_another_threads_counts() {
    for identity in PROCESSORS {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::new();
        let pmu = claim(&unit, &device);
        let [mut first, mut second] = [0, 1].map(Context::<_, 2>::new);
        let pinned = |counter| Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::new(counter).unwrap());
        first.bind(&pmu, [pinned(0), pinned(1)]).unwrap();
        second.bind(&pmu, [pinned(2)]).unwrap();
        pmu.switch_in(&mut first);
        device.advance(&USER);
        pmu.switch_out(&mut first);
        pmu.switch_in(&mut second);
        pmu.lend().unwrap();
        device.advance(&USER);
        for counter in [0, 1, 3, 31] {
            let seen = peek(&device, counter).unwrap();
            assert!([0, 1 << 31, 1 << 63].contains(&seen), "{seen:#x} is in counter {counter} of {}", identity.name());
        }
        assert_eq!(peek(&device, 2).unwrap() & 0xffff, 100);
    }
}

#[test]
fn a_session_is_in_the_way_only_where_its_counter_would_be_seen() {
    let outcomes = PROCESSORS.map(|identity| {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::new();
        let pmu = claim(&unit, &device);
        let mut thread = Context::<_, 2>::new(1);
        let _session = pmu.open([Request::new(Event::CYCLES)]).unwrap();
        thread.bind(&pmu, [Event::INSTRUCTIONS]).unwrap();
        pmu.switch_in(&mut thread);
        let lent = pmu.lend();
        assert_eq!(peek(&device, 0).is_ok(), lent.is_ok());
        lent
    });
    assert_eq!(outcomes, [Err(Error::InUse(CounterSet::from_bits(1 << 31))), Ok(())]);
}

#[test]
fn a_thread_that_waits_is_lent_nothing_and_its_kernel_is_told_so() {
    let outcomes = PROCESSORS.map(|identity| {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::new();
        let pmu = claim(&unit, &device);
        let taken = Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::ZERO);
        let mut thread = Context::<_, 2>::new(1);
        thread.bind(&pmu, [taken]).unwrap();
        let _session = pmu.open([taken]).unwrap();
        pmu.switch_in(&mut thread);
        let lent = pmu.lend();
        assert_eq!(peek(&device, 0), REFUSED);
        lent
    });
    assert_eq!(outcomes, [Err(Error::ThreadWaits); 2]);
}

#[test]
fn a_thread_that_came_while_the_unit_slept_or_was_halted_is_lent_nothing_and_its_kernel_is_told_so() {
    for identity in PROCESSORS {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::new();
        let pmu = claim(&unit, &device);
        let mut thread = Context::<_, 2>::new(1);
        thread.bind(&pmu, [Event::CYCLES]).unwrap();
        pmu.suspend().unwrap();
        pmu.switch_in(&mut thread);
        unit.resume().unwrap();
        assert_eq!((thread.is_waiting(), pmu.lend()), (true, Err(Error::ThreadWaits)), "it slept");
        pmu.switch_out(&mut thread);
        pmu.halt();
        pmu.switch_in(&mut thread);
        assert_eq!((thread.is_waiting(), pmu.lend()), (true, Err(Error::ThreadWaits)), "it was halted");
    }
}

#[test]
fn what_a_thread_has_left_behind_is_lent_to_nobody() {
    for identity in PROCESSORS {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::new();
        let pmu = claim(&unit, &device);
        let mut thread = Context::<_, 2>::new(1);
        thread.bind(&pmu, [Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::ZERO)]).unwrap();
        pmu.switch_in(&mut thread);
        device.advance(&USER);
        pmu.switch_out(&mut thread);
        assert_eq!(pmu.lend(), Err(Error::ThreadWaits));
        assert_eq!(peek(&device, 0), REFUSED, "nobody is in");
    }
}

#[test]
fn what_is_lent_is_withdrawn_by_a_sleep_by_a_release_and_by_a_claim() {
    for identity in PROCESSORS {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::new();
        let lent = |pmu: &Pmu<'_, Driver<'_>>| {
            let mut thread = Context::<_, 2>::new(1);
            thread.bind(pmu, [Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::ZERO)]).unwrap();
            pmu.switch_in(&mut thread);
            pmu.lend().unwrap();
            assert!(peek(&device, 0).is_ok(), "it is lent");
            pmu.switch_out(&mut thread);
        };
        let before = device.state();
        let pmu = claim(&unit, &device);
        lent(&pmu);
        pmu.suspend().unwrap();
        assert_eq!(peek(&device, 0), REFUSED, "the unit sleeps");
        unit.resume().unwrap();
        assert_eq!(peek(&device, 0), REFUSED, "after the sleep");
        lent(&pmu);
        let amid = device.snapshot();
        pmu.release().unwrap();
        assert_eq!(device.state().user_enable, before.user_enable, "it is released");
        device.restore(amid.as_bytes()).unwrap();
        claim(&unit, &device);
        assert_eq!(peek(&device, 0), REFUSED, "what somebody else has lent before a claim");
    }
}
