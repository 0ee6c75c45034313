//! A program on PowerPC reads its thread's counts without a system call, by the user copies of the counters.

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{self, Book3s, Privilege};
use pmu::arch::powerpc::classic::{self, Classic};
use pmu::driver::Driver;
use pmu::virt::{Device, Fault, Kinds, Unconnected, Work};
use pmu::{Context, CounterId, Event, Mode, Pmu, Request, Unit, UserPage};

const USER: Work = Work::instructions(Mode::User, 100);

/// The copy with this number.
fn copy(number: u32) -> Spr {
    Spr::from_number(number as u16).expect("the page names a register of the unit")
}

/// Switches a thread in and out beside another one; `peek` is what a program reads of a register.
fn reads_its_counts<D: Driver>(
    pmu: &Pmu<'_, D>,
    events: [Event; 2],
    advance: impl Fn(),
    peek: impl Fn(Spr) -> Result<u64, Fault>,
) {
    let (mut thread, mut other) = (Context::<_, 2>::new(1), Context::<_, 2>::new(2));
    let page = UserPage::<2>::new();
    let read = || page.read_all(|number| peek(copy(number)).expect("it is lent"));
    thread.bind(pmu, events).unwrap();
    other.bind(pmu, [events[0]]).unwrap();
    for slice in 1..20 {
        pmu.switch_in(&mut thread);
        pmu.lend().unwrap();
        pmu.publish(&thread, &page).unwrap();
        advance();
        assert_eq!(read(), [100 * slice; 2]);
        pmu.take_back().unwrap();
        pmu.switch_out(&mut thread);
        pmu.publish(&thread, &page).unwrap();
        pmu.switch_in(&mut other);
        advance();
        assert_eq!(read(), [100 * slice; 2], "no counter is named");
        pmu.switch_out(&mut other);
    }
}

#[test]
fn a_program_reads_its_counts_wherever_its_thread_was_put() {
    for identity in [book3s::Identity::PPC970, book3s::Identity::POWER8, book3s::Identity::POWER10] {
        let device = book3s::Device::new(&identity, Kinds::CLOCK, Unconnected);
        let driver = Book3s::detect(identity.pvr(), Privilege::Supervisor, &device).unwrap();
        let unit = Unit::<_, 0>::new();
        let pmu = unit.claim(driver).unwrap();
        let advance = || device.advance(&USER);
        reads_its_counts(&pmu, [Event::CYCLES, Event::INSTRUCTIONS], advance, |at| device.read_from(Mode::User, at));
    }
}

#[test]
fn a_program_reads_its_counts_on_32_bits_too() {
    for identity in [classic::Identity::P750, classic::Identity::P7450] {
        let device = classic::Device::new(&identity, Kinds::CLOCK, Unconnected);
        let driver = Classic::detect(identity.pvr(), &device).unwrap();
        let unit = Unit::<_, 0>::new();
        let pmu = unit.claim(driver).unwrap();
        let advance = || device.advance(&USER);
        reads_its_counts(&pmu, [Event::CYCLES, Event::INSTRUCTIONS], advance, |at| device.read_from(Mode::User, at));
    }
}

#[test]
fn what_is_lent_is_taken_back_while_others_count() {
    let device = book3s::Device::new(&book3s::Identity::POWER9, Kinds::CLOCK, Unconnected);
    let driver = Book3s::detect(book3s::Identity::POWER9.pvr(), Privilege::Supervisor, &device).unwrap();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let mut thread = Context::<_, 2>::new(1);
    thread.bind(&pmu, [Request::new(Event::CYCLES).pinned_to(CounterId::new(1).unwrap())]).unwrap();
    let peek = |number| device.read_from(Mode::User, copy(number));
    pmu.switch_in(&mut thread);
    assert_eq!(peek(772), Err(Fault::Trapped(Mode::Kernel)), "it is lent nothing yet");
    for slice in 1..5 {
        pmu.lend().unwrap();
        device.advance(&USER);
        assert_eq!(peek(772), Ok(100 * (2 * slice - 1)));
        assert_eq!([771, 773, 774, 775, 776].map(peek), [Ok(0); 5], "nothing is in the others");
        pmu.take_back().unwrap();
        device.advance(&USER);
        assert_eq!(peek(772), Err(Fault::Trapped(Mode::Kernel)));
        assert_eq!(pmu.thread_counts(&thread).unwrap().raw[0], 200 * slice, "it counts all the time");
    }
}
