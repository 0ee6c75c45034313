//! A program reads its thread's counts from its page and by an instruction, without a system call.

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Index, Unattached};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Context, Error, Event, Interrupted, Mode, Request, Threads, Unit, UserPage};

type Driver<'a> = Intel<&'a Device<Unconnected>, Unattached>;

const USER: Work = Work::instructions(Mode::User, 100);

/// The program's own reading of a request.
fn read(device: &Device<Unconnected>, page: &UserPage<2>, request: usize) -> u64 {
    let rdpmc = |index| device.try_read_counter(Index::from_raw(index).expect("the page names a counter"));
    page.read(request, |index| rdpmc(index).expect("the unit has it")).expect("there is such a request")
}

#[test]
fn a_program_reads_its_counts_wherever_its_thread_was_put() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Driver, 0>::new();
    let driver = Intel::detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let mut thread = Context::<_, 2>::new(1);
    let page = UserPage::<2>::new();
    thread.bind(&pmu, [Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    for slice in 1..20 {
        let in_the_way = (slice % 3 == 0).then(|| pmu.open([Event::INSTRUCTIONS.into()]).unwrap());
        pmu.switch_in(&mut thread);
        pmu.publish(&thread, &page).unwrap();
        let before = read(&device, &page, 0);
        device.advance(&USER);
        assert_eq!(read(&device, &page, 0), before + 100);
        assert_eq!([0, 1].map(|request| read(&device, &page, request)), [100 * slice; 2]);
        pmu.switch_out(&mut thread);
        pmu.publish(&thread, &page).unwrap();
        device.advance(&USER);
        assert_eq!([0, 1].map(|request| read(&device, &page, request)), [100 * slice; 2], "it is switched out");
        drop(in_the_way);
    }
}

#[test]
fn a_page_with_room_for_more_has_no_count_of_requests_that_were_not_made() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Driver, 0>::new();
    let driver = Intel::detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let (mut thread, page) = (Context::<_, 2>::new(1), UserPage::<2>::new());
    thread.bind(&pmu, [Event::INSTRUCTIONS]).unwrap();
    pmu.switch_in(&mut thread);
    pmu.publish(&thread, &page).unwrap();
    device.advance(&USER);
    assert_eq!(read(&device, &page, 0), 100);
    assert_eq!(page.read(1, |_| unreachable!("there is no such request")), None);
}

#[test]
fn a_count_goes_on_when_the_page_follows_an_overflow() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Driver, 16>::new();
    let driver = Intel::detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let mut thread = Context::<_, 2>::new(1);
    let page = UserPage::<2>::new();
    thread.bind(&pmu, [Request::new(Event::INSTRUCTIONS).every(5000)]).unwrap();
    pmu.switch_in(&mut thread);
    pmu.publish(&thread, &page).unwrap();
    for slice in 1..=120 {
        device.advance(&USER);
        assert_eq!(read(&device, &page, 0), 100 * slice, "the counter goes on past its overflow");
        if slice % 50 == 0 {
            assert!(unit.on_overflow(Interrupted::new(0, Mode::User)).is_mine());
            pmu.publish(&thread, &page).unwrap();
            assert_eq!(read(&device, &page, 0), 100 * slice);
        }
    }
}

#[test]
fn the_page_of_a_thread_whose_counters_were_taken_names_none_and_has_no_count() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Driver, 0>::new();
    let driver = Intel::detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    let pmu = unit.claim_for(driver, Threads::Yield).unwrap();
    let (mut thread, page) = (Context::<_, 2>::new(1), UserPage::<2>::new());
    let read_by = |page: &UserPage<2>| [0, 1].map(|request| page.read(request, |_| unreachable!("it is not its own")));
    assert_eq!((pmu.publish(&thread, &page), read_by(&page)), (Err(Error::NotBound), [None; 2]));
    thread.bind(&pmu, [Event::CYCLES, Event::INSTRUCTIONS]).unwrap();
    pmu.switch_in(&mut thread);
    pmu.publish(&thread, &page).unwrap();
    device.advance(&USER);
    assert_eq!(read(&device, &page, 0), 100);
    let mut other = pmu.open([Event::CYCLES.into()]).unwrap();
    other.start().unwrap();
    device.advance(&USER);
    assert_eq!((pmu.publish(&thread, &page), read_by(&page)), (Err(Error::Invalidated), [None; 2]));
    assert_eq!(page.read_all(|_| unreachable!("it is not its own")), [0; 2]);
}
