//! A program reads its thread's counts from its page and by an instruction, without a system call.

use crate::support::registers::{Altered, Step};
use std::cell::{Cell, RefCell};

use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Index, Unattached};
use pmu::driver::{Masked, Registers, WithKernel};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Context, CpuId, Error, Event, Interrupted, Kernel, Mode, Request, Threads, Unit, UserPage};

type Driver<'a> = Intel<&'a Device<Unconnected>, Unattached>;

const USER: Work = Work::instructions(Mode::User, 100);

fn skylake() -> Device<Unconnected> {
    Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected)
}

fn driver(device: &Device<Unconnected>) -> Driver<'_> {
    Intel::detect(&Identity::SKYLAKE, device, Unattached).unwrap()
}

/// The program's own reading of a request.
fn read(device: &Device<Unconnected>, page: &UserPage<2>, request: usize) -> u64 {
    let rdpmc = |index| device.try_read_counter(Index::from_raw(index).expect("the page names a counter"));
    page.read(request, |index| rdpmc(index).expect("the unit has it")).expect("there is such a request")
}

#[test]
fn a_program_reads_its_counts_wherever_its_thread_was_put() {
    let device = skylake();
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let mut thread = Context::<_, 2>::new(1);
    let page = UserPage::<2>::new();
    thread.bind(&pmu, [Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    for slice in 1..20 {
        let in_the_way = (slice % 3 == 0).then(|| pmu.open([Event::INSTRUCTIONS]).unwrap());
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
    let device = skylake();
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
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
    let device = skylake();
    let unit = Unit::<Driver, 16>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
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
    let device = skylake();
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim_with(driver(&device), Threads::Yield).unwrap();
    let (mut thread, page) = (Context::<_, 2>::new(1), UserPage::<2>::new());
    let read_by = |page: &UserPage<2>| [0, 1].map(|request| page.read(request, |_| unreachable!("it is not its own")));
    assert_eq!((pmu.publish(&thread, &page), read_by(&page)), (Err(Error::NotBound), [None; 2]));
    thread.bind(&pmu, [Event::CYCLES, Event::INSTRUCTIONS]).unwrap();
    pmu.switch_in(&mut thread);
    pmu.publish(&thread, &page).unwrap();
    device.advance(&USER);
    assert_eq!(read(&device, &page, 0), 100);
    let mut other = pmu.open([Event::CYCLES]).unwrap();
    other.start().unwrap();
    device.advance(&USER);
    assert_eq!((pmu.publish(&thread, &page), read_by(&page)), (Err(Error::Invalidated), [None; 2]));
    assert_eq!(page.read_all(|_| unreachable!("it is not its own")), [0; 2]);
}

/// The page once named the counter of a unit that had been given up, which the next user of it set.
#[test]
fn the_page_of_a_thread_whose_unit_was_given_up_names_no_counter_here_or_elsewhere() {
    let devices = [skylake(), skylake()];
    let units = [Unit::<Driver, 0>::new(), Unit::new()];
    let pmu = units[0].claim(driver(&devices[0])).unwrap();
    let (mut thread, page) = (Context::<_, 2>::new(1), UserPage::<2>::new());
    let read_by = |page: &UserPage<2>| page.read(0, |_| unreachable!("it is not its own"));
    thread.bind(&pmu, [Event::INSTRUCTIONS]).unwrap();
    pmu.switch_in(&mut thread);
    pmu.publish(&thread, &page).unwrap();
    pmu.revoke().unwrap();
    assert_eq!((pmu.publish(&thread, &page), read_by(&page)), (Err(Error::NotClaimed), None));
    let pmu = units[1].claim(driver(&devices[1])).unwrap();
    pmu.switch_in(&mut thread);
    assert_eq!((pmu.publish(&thread, &page), read_by(&page)), (Err(Error::Invalidated), None));
}

/// A kernel whose interrupts come as soon as they are let in, and then evict the thread.
#[derive(Clone, Copy)]
struct Impatient<'a> {
    depth: &'a Cell<u32>,
    interrupt: &'a dyn Fn(),
}

impl Kernel for Impatient<'_> {
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }

    fn enter<R: Registers + ?Sized>(&self, _: &R) -> Masked {
        self.depth.set(self.depth.get() + 1);
        Masked::from_bits(0)
    }

    fn leave<R: Registers + ?Sized>(&self, _: &R, _: Masked) {
        self.depth.set(self.depth.get() - 1);
        if self.depth.get() == 0 {
            (self.interrupt)();
        }
    }
}

/// It was once written in parts: a page that an interrupt had withdrawn meanwhile named a counter again.
#[test]
fn no_interrupt_comes_between_the_reading_of_counts_and_the_writing_of_their_page() {
    let device = skylake();
    let (page, depth, generations) = (UserPage::<2>::new(), Cell::new(0), RefCell::new(Vec::new()));
    let interrupt = || generations.borrow_mut().push(page.generation());
    let kernel = Impatient { depth: &depth, interrupt: &interrupt };
    let unit = Unit::<_, 0>::new();
    let driver: Intel<_, _> = Intel::detect(&Identity::SKYLAKE, WithKernel::new(&device, kernel), Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let mut thread = Context::<_, 2>::new(1);
    thread.bind(&pmu, [Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    pmu.switch_in(&mut thread);
    generations.borrow_mut().clear();
    let before = page.generation();
    pmu.publish(&thread, &page).unwrap();
    assert_ne!(page.generation(), before);
    assert_eq!(*generations.borrow(), [page.generation()], "it came when the page was written");
}

fn leaked<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Interrupts the unit at one of its fences, where memory must be as the interrupt expects it. Returns whether the
/// publication had so many fences.
fn publishes_with_an_overflow_at(fence: u32) -> bool {
    let (device, unit, left) = (leaked(skylake()), leaked(Unit::<_, 16>::new()), leaked(Cell::new(u32::MAX)));
    let registers = Altered::new(device).before(|_, step| {
        if step == Step::Fence && left.replace(left.get().wrapping_sub(1)) == 0 {
            device.advance(&USER);
            assert!(unit.on_overflow(Interrupted::new(0, Mode::User)).is_mine());
        }
    });
    let driver: Intel<_, _> = Intel::detect(&Identity::SKYLAKE, registers.leaked(), Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let (mut thread, page) = (Context::<_, 2>::new(1), UserPage::<2>::new());
    thread.bind(&pmu, [Request::new(Event::INSTRUCTIONS).every(5000)]).unwrap();
    pmu.switch_in(&mut thread);
    (0..49).for_each(|_| device.advance(&USER));
    left.set(fence);
    pmu.publish(&thread, &page).unwrap();
    let was_reached = left.replace(u32::MAX) > fence;
    assert_eq!(read(device, &page, 0), if was_reached { 5000 } else { 4900 }, "fence {fence}");
    was_reached
}

#[test]
fn a_page_is_right_whenever_a_counter_overflows_while_it_is_written() {
    let fences = (0..).take_while(|&fence| publishes_with_an_overflow_at(fence)).count();
    assert!(fences >= 2, "a page is written between two fences");
}

#[test]
fn a_page_has_its_counts_and_no_counter_while_the_unit_sleeps() {
    let device = skylake();
    let unit = Unit::<Driver, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let (mut thread, page) = (Context::<_, 2>::new(1), UserPage::<2>::new());
    thread.bind(&pmu, [Event::INSTRUCTIONS]).unwrap();
    pmu.switch_in(&mut thread);
    device.advance(&USER);
    assert_eq!(pmu.suspend(), Err(Error::ThreadIn), "or its page would name a counter");
    pmu.switch_out(&mut thread);
    pmu.suspend().unwrap();
    let asleep = |page: &UserPage<2>| page.read(0, |_| unreachable!("the unit sleeps"));
    pmu.publish(&thread, &page).unwrap();
    assert_eq!(asleep(&page), Some(100));
    pmu.switch_in(&mut thread);
    pmu.publish(&thread, &page).unwrap();
    assert_eq!(asleep(&page), Some(100), "it waits");
}
