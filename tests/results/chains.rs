//! Each sample has its own chain, and every walk ends, whatever the stack contains.

use std::cell::RefCell;
use std::ops::Range;
use std::thread;

use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::samples::{
    chain::BackChain, chain::Broken, chain::Callers, chain::Chain, chain::Chains, chain::End, chain::Frames,
};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Error, Event, Handled, Interrupted, Mode, Request, Timer, Unit};
use proptest::prelude::*;

const BASE: u64 = 0x8000;

/// Ticks once with this walk, and returns the chain.
fn walked<const DEPTH: usize>(walk: impl FnOnce(&mut Callers<'_>) -> Result<(), Broken>) -> Chain<DEPTH> {
    let (timer, chains) = (Timer::<1>::new(), Chains::<DEPTH, 1>::new());
    timer.tick_chained(here(0), &chains, walk);
    let mut samples = chains.pair(timer.samples().unwrap()).unwrap();
    samples.next().unwrap().1.unwrap()
}

fn here(address: u64) -> Interrupted {
    Interrupted::new(address, Mode::Kernel)
}

/// A chain of these callers, without an end if there are more than fit.
fn calls(callers: &[u64]) -> impl FnOnce(&mut Callers<'_>) -> Result<(), Broken> + '_ {
    |chain| {
        let _ = callers.iter().all(|&caller| chain.push(caller));
        Ok(())
    }
}

/// A stack at [`BASE`]: frames of these callers, with so many words of each function's own between them.
fn stack(frames: &[(u64, usize)]) -> Vec<u64> {
    let mut words = Vec::new();
    for (number, &(caller, own)) in frames.iter().enumerate() {
        let next = BASE + 8 * (words.len() + 2 + own) as u64;
        words.extend([if number + 1 < frames.len() { next } else { 0 }, caller]);
        words.extend(std::iter::repeat_n(!0, own));
    }
    words
}

fn whole(stack: &[u64]) -> Range<u64> {
    BASE..BASE + 8 * stack.len() as u64
}

fn word(stack: &[u64], address: u64) -> Option<u64> {
    stack.get(usize::try_from(address.checked_sub(BASE)? / 8).ok()?).copied()
}

fn walk<const DEPTH: usize>(stack: &[u64]) -> Chain<DEPTH> {
    walked(|callers| Frames::new(BASE, whole(stack)).walk(callers, |address| word(stack, address)))
}

#[test]
fn a_chain_that_fits_ends_with_the_outermost_caller() {
    let chain = walked::<4>(calls(&[1, 2, 3, 4]));
    assert_eq!((chain.callers(), chain.end()), (&[1, 2, 3, 4][..], End::Outermost));
}

#[test]
fn a_chain_that_does_not_fit_is_cut_and_says_so() {
    let chain = walked::<3>(calls(&[1, 2, 3, 4]));
    assert_eq!((chain.callers(), chain.end()), (&[1, 2, 3][..], End::Cut));
    let nothing = walked::<0>(calls(&[1]));
    assert_eq!((nothing.callers(), nothing.end()), (&[][..], End::Cut));
}

#[test]
fn a_walk_that_is_given_up_keeps_what_it_found_and_is_counted() {
    let (timer, chains) = (Timer::<8>::new(), Chains::<2, 8>::new());
    let causes = [Broken::Unreadable, Broken::Misaligned, Broken::Outside, Broken::Inwards];
    for cause in causes {
        timer.tick_chained(here(0), &chains, |callers| {
            callers.push(7);
            Err(cause)
        });
    }
    let ends: Vec<_> = chains.pair(timer.samples().unwrap()).unwrap().map(|(_, chain)| chain.unwrap()).collect();
    assert!(ends.iter().all(|chain| chain.callers() == [7]));
    assert_eq!(ends.iter().map(Chain::end).collect::<Vec<_>>(), causes.map(End::Aborted));
    let text = "4 kept (0 cut, 4 aborted), 0 waiting, 0 lost (ring full)";
    assert_eq!(chains.statistics().to_string(), text);
}

#[test]
fn a_sample_whose_chain_finds_no_room_comes_without_and_is_counted() {
    let (timer, chains) = (Timer::<8>::new(), Chains::<1, 2>::new());
    for address in 0..4 {
        timer.tick_chained(here(address), &chains, calls(&[address + 100]));
    }
    let mut samples = chains.pair(timer.samples().unwrap()).unwrap();
    let callers = |chain: Option<Chain<1>>| chain.map(|chain| chain.callers()[0]);
    let read: Vec<_> = samples.by_ref().map(|(sample, chain)| (sample.address, callers(chain))).collect();
    assert_eq!(read, [(0, Some(100)), (1, Some(101)), (2, None), (3, None)]);
    assert_eq!((samples.statistics().kept, samples.statistics().ring_full), (2, 2));
    timer.tick_chained(here(4), &chains, calls(&[104]));
    assert_eq!(samples.next().map(|(sample, chain)| (sample.address, callers(chain))), Some((4, Some(104))));
}

#[test]
fn a_ring_of_no_size_loses_every_chain_and_no_sample() {
    let (timer, chains) = (Timer::<2>::new(), Chains::<4, 0>::new());
    timer.tick_chained(here(1), &chains, |_| unreachable!("there is no room to walk for"));
    let mut samples = chains.pair(timer.samples().unwrap()).unwrap();
    assert_eq!(samples.next().map(|(sample, chain)| (sample.address, chain)), Some((1, None)));
    assert_eq!(chains.statistics().ring_full, 1);
}

#[test]
fn samples_that_are_read_or_discarded_alone_take_their_chains_with_them() {
    let (timer, chains) = (Timer::<8>::new(), Chains::<1, 8>::new());
    (0..6).for_each(|address| timer.tick_chained(here(address), &chains, calls(&[address + 100])));
    assert_eq!(timer.samples().unwrap().next().map(|sample| sample.address), Some(0));
    let mut samples = chains.pair(timer.samples().unwrap()).unwrap();
    assert_eq!(samples.next().map(|(sample, chain)| (sample.address, chain.unwrap().callers()[0])), Some((1, 101)));
    samples.samples().discard();
    timer.tick_chained(here(6), &chains, calls(&[106]));
    assert_eq!(samples.next().map(|(sample, chain)| (sample.address, chain.unwrap().callers()[0])), Some((6, 106)));
    assert_eq!(samples.statistics().waiting, 0);
}

#[test]
fn ticks_without_a_chain_among_others_have_none() {
    let (timer, chains) = (Timer::<8>::new(), Chains::<1, 8>::new());
    for address in 0..6 {
        if address % 2 == 0 {
            timer.tick(here(address));
        } else {
            timer.tick_chained(here(address), &chains, calls(&[address]));
        }
    }
    let samples = chains.pair(timer.samples().unwrap()).unwrap();
    assert!(samples.map(|(sample, chain)| (sample.address % 2, chain.is_some())).eq([(0, false), (1, true)].repeat(3)));
}

#[test]
fn chains_have_one_reader_at_a_time() {
    let (timers, chains) = ([Timer::<1>::new(), Timer::<1>::new()], Chains::<1, 1>::new());
    let first = chains.pair(timers[0].samples().unwrap()).unwrap();
    assert_eq!(chains.pair(timers[1].samples().unwrap()).err(), Some(Error::ReaderTaken));
    drop(first);
    assert!(chains.pair(timers[0].samples().unwrap()).is_ok());
}

#[test]
fn counters_that_overflow_together_share_a_chain_that_is_walked_once_and_not_counted() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let (unit, chains) = (Unit::<Intel<_, _>, 8>::new(), Chains::<2, 8>::new());
    let driver = Intel::detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000); 3]).unwrap();
    session.start().unwrap();
    for caller in [5, 6] {
        device.advance(&Work::instructions(Mode::Kernel, 1000));
        let handled = unit.on_overflow_chained(here(1), &chains, |callers| {
            device.advance(&Work::instructions(Mode::Kernel, 77));
            calls(&[caller])(callers)
        });
        assert_eq!(handled, Handled::Overflow);
    }
    assert_eq!(session.read(), Ok([2000; 3]));
    let samples = chains.pair(unit.samples().unwrap()).unwrap();
    let callers: Vec<_> = samples.map(|(_, chain)| chain.unwrap().callers()[0]).collect();
    assert_eq!((callers, chains.statistics().kept), (vec![5, 5, 5, 6, 6, 6], 2));
}

#[test]
fn an_interrupt_that_leaves_no_sample_walks_nothing() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let (unit, chains) = (Unit::<Intel<_, _>, 1>::new(), Chains::<2, 8>::new());
    let walks = RefCell::new(0);
    let overflow = || {
        unit.on_overflow_chained(here(1), &chains, |_| {
            *walks.borrow_mut() += 1;
            Ok(())
        })
    };
    assert_eq!(overflow(), Handled::NotMine);
    let driver = Intel::detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    let pmu = unit.claim(driver).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(1000)]).unwrap();
    session.start().unwrap();
    assert_eq!(overflow(), Handled::NotMine);
    for walked in [1, 1, 1] {
        device.advance(&Work::instructions(Mode::Kernel, 1000));
        assert_eq!((overflow(), *walks.borrow()), (Handled::Overflow, walked));
    }
    assert_eq!((chains.statistics().kept, unit.sample_statistics().lost.ring_full), (1, 2));
}

#[test]
fn every_chain_is_its_own_samples_whichever_cpu_reads() {
    static TIMER: Timer<16> = Timer::new();
    static CHAINS: Chains<3, 8> = Chains::new();
    const TICKS: u64 = 200_000;
    let writer = thread::spawn(|| {
        for address in 1..=TICKS {
            let callers = [address * 3, address * 5, address * 7];
            TIMER.tick_chained(here(address), &CHAINS, calls(&callers[..(address % 4) as usize]));
        }
    });
    let mut samples = CHAINS.pair(TIMER.samples().unwrap()).unwrap();
    let (mut with, mut without) = (0, 0);
    loop {
        let is_over = writer.is_finished();
        for (sample, chain) in samples.by_ref() {
            let Some(chain) = chain else {
                without += 1;
                continue;
            };
            let all = [sample.address * 3, sample.address * 5, sample.address * 7];
            assert_eq!(chain.callers(), &all[..(sample.address % 4) as usize]);
            with += 1;
        }
        if is_over {
            break;
        }
    }
    writer.join().unwrap();
    assert_eq!((with, without), (CHAINS.statistics().kept, CHAINS.statistics().ring_full));
    assert_eq!(with + without, TIMER.statistics().received);
    assert!(with > 0, "some chains were kept");
}

#[test]
fn a_frame_that_leads_back_ends_the_walk() {
    let cycle = [BASE + 16, 1, BASE, 2];
    let chain = walk::<8>(&cycle);
    assert_eq!((chain.callers(), chain.end()), (&[1, 2][..], End::Aborted(Broken::Inwards)));
    let itself = walk::<8>(&[BASE, 1]);
    assert_eq!((itself.callers(), itself.end()), (&[1][..], End::Aborted(Broken::Inwards)));
    let overlapping = walk::<8>(&[BASE + 8, 1, 0]);
    assert_eq!((overlapping.callers(), overlapping.end()), (&[1][..], End::Aborted(Broken::Inwards)));
}

#[test]
fn a_frame_that_leads_nowhere_says_how() {
    let led = |to: u64| walk::<8>(&[to, 1, 0, 2]).end();
    assert_eq!(led(BASE + 20), End::Aborted(Broken::Misaligned));
    assert_eq!([BASE - 16, BASE + 24, BASE + 32, !7].map(led), [End::Aborted(Broken::Outside); 4]);
    let unmapped = walked::<8>(|callers| Frames::anywhere(BASE).walk(callers, |_| None));
    assert_eq!((unmapped.callers(), unmapped.end()), (&[][..], End::Aborted(Broken::Unreadable)));
}

#[test]
fn frames_of_32_bits_are_found_by_words_of_four_bytes() {
    let words = [BASE + 12, 0x1234, !0, BASE + 24, 0x5678, !0, 0, 0x9abc];
    let word = |address: u64| words.get((address.checked_sub(BASE)? / 4) as usize).copied();
    let frames = Frames::of_32_bits(BASE, BASE..BASE + 32);
    assert_eq!(walked::<4>(|callers| frames.walk(callers, word)).callers(), [0x1234, 0x5678, 0x9abc]);
    let astray = Frames::of_32_bits(BASE + 2, BASE..BASE + 32);
    assert_eq!(walked::<4>(|callers| astray.walk(callers, word)).end(), End::Aborted(Broken::Misaligned));
}

/// RISC-V and others: the frame pointer is the stack pointer of before the call.
#[test]
fn frames_below_their_pointers_are_found_and_none_outside_the_stack() {
    let words = [BASE + 40, 0x1111, 7, BASE + 56, 0x2222, 0, 0x3333, 7];
    let word = |address: u64| words.get((address.checked_sub(BASE)? / 8) as usize).copied();
    let walk = |pointer: u64| {
        let frames = Frames::new(pointer, BASE..BASE + 56).below_pointers();
        let chain = walked::<4>(|callers| frames.walk(callers, word));
        (chain.callers().to_vec(), chain.end())
    };
    assert_eq!(walk(BASE + 16), (vec![0x1111, 0x2222, 0x3333], End::Outermost));
    assert_eq!([0, 8].map(|low| walk(BASE + low)), [const { (vec![], End::Aborted(Broken::Outside)) }; 2]);
    assert_eq!(walk(BASE + 64).1, End::Aborted(Broken::Outside));
    assert_eq!(walk(0), (vec![], End::Outermost));
    let narrow = [BASE + 20, 0x1234, !0, 0, 0x5678];
    let word = |address: u64| narrow.get((address.checked_sub(BASE)? / 4) as usize).copied();
    let frames = Frames::of_32_bits(BASE + 8, BASE..BASE + 20).below_pointers();
    assert_eq!(walked::<4>(|callers| frames.walk(callers, word)).callers(), [0x1234, 0x5678]);
}

#[test]
fn a_thread_without_frames_has_no_callers() {
    let nothing = walked::<8>(|callers| Frames::new(0, 0..0).walk(callers, |_| unreachable!("there is no frame")));
    assert_eq!((nothing.callers(), nothing.end()), (&[][..], End::Outermost));
    let first = walk::<8>(&[BASE + 16, 5, BASE + 32, 0]);
    assert_eq!((first.callers(), first.end()), (&[5][..], End::Outermost), "the outermost has nowhere to return to");
}

proptest! {
    #[test]
    fn frames_are_found_one_behind_the_other(frames in prop::collection::vec((1..=u64::MAX, 0_usize..5), 1..20)) {
        let chain = walk::<12>(&stack(&frames));
        let callers: Vec<_> = frames.iter().map(|frame| frame.0).take(12).collect();
        prop_assert_eq!(chain.callers(), callers);
        prop_assert_eq!(chain.end(), if frames.len() > 12 { End::Cut } else { End::Outermost });
    }

    #[test]
    fn a_stack_that_is_broken_somewhere_is_right_until_there(
        frames in prop::collection::vec((1..=u64::MAX, 0_usize..5), 1..12),
        broken in any::<prop::sample::Index>(),
        leads_to in any::<u64>(),
    ) {
        let broken = broken.index(frames.len());
        let mut words = stack(&frames);
        words[frames[..broken].iter().map(|frame| 2 + frame.1).sum::<usize>()] = leads_to;
        let right: Vec<_> = frames.iter().map(|frame| frame.0).take(broken + 1).collect();
        prop_assert!(walk::<12>(&words).callers().starts_with(&right));
    }

    #[test]
    fn a_walk_reads_nothing_but_words_of_the_stack_and_ends(
        words in prop::collection::vec(prop_oneof![any::<u64>(), BASE..BASE + 0x200, (0_u64..64).prop_map(|word| BASE + 8 * word)], 0..64),
        pointer in prop_oneof![any::<u64>(), BASE..BASE + 0x200, (0_u64..64).prop_map(|word| BASE + 8 * word)],
        holes in any::<u64>(),
    ) {
        let (bounds, reads) = (whole(&words), RefCell::new(Vec::new()));
        let chain = walked::<256>(|callers| {
            Frames::new(pointer, bounds.clone()).walk(callers, |address| {
                reads.borrow_mut().push(address);
                word(&words, address).filter(|_| holes >> (address / 8 % 64) & 1 == 0)
            })
        });
        prop_assert!(reads.borrow().iter().all(|address| address % 8 == 0 && bounds.contains(address)));
        prop_assert!(reads.borrow().is_sorted_by(|one, next| one < next));
        prop_assert!(chain.callers().len() <= words.len() / 2);
    }
}

/// A stack of 64 bits at [`BASE`], of frames of four words: each leads to the next, which keeps the address
/// that the call from it returns to in its third word.
fn chained(callers: &[u64]) -> Vec<u64> {
    let frames = 1 + callers.len();
    let next = |number: usize| if number + 1 < frames { BASE + 32 * (number as u64 + 1) } else { 0 };
    let kept = |number: usize| if number == 0 { !0 } else { callers[number - 1] };
    (0..frames).flat_map(|number| [next(number), !0, kept(number), !0]).collect()
}

fn walk_back<const DEPTH: usize>(stack: &[u64]) -> Chain<DEPTH> {
    walked(|callers| BackChain::of_64_bits(BASE, whole(stack)).walk(callers, |address| word(stack, address)))
}

#[test]
fn a_back_chain_has_each_callers_address_in_the_callers_own_frame() {
    let chain = walk_back::<4>(&chained(&[1, 2, 3]));
    assert_eq!((chain.callers(), chain.end()), (&[1, 2, 3][..], End::Outermost));
    let chain = walk_back::<2>(&chained(&[1, 2, 3]));
    assert_eq!((chain.callers(), chain.end()), (&[1, 2][..], End::Cut));
    let chain = walk_back::<2>(&chained(&[]));
    assert_eq!((chain.callers(), chain.end()), (&[][..], End::Outermost));
}

#[test]
fn a_back_chain_of_32_bits_has_them_one_word_above_the_lowest() {
    let stack = [0x8008_u64, 0, 0x8010, 0x1111, 0, 0x2222];
    let read = |address: u64| stack.get((address.checked_sub(0x8000)? / 4) as usize).copied();
    let chain = walked::<4>(|callers| BackChain::of_32_bits(0x8000, 0x8000..0x8018).walk(callers, read));
    assert_eq!((chain.callers(), chain.end()), (&[0x1111, 0x2222][..], End::Outermost));
}

#[test]
fn a_back_chain_that_makes_no_sense_ends_where_it_does() {
    let broken = |place: usize, value: u64| {
        let mut stack = chained(&[1, 2]);
        stack[place] = value;
        let chain = walk_back::<4>(&stack);
        (chain.callers().len(), chain.end())
    };
    assert_eq!(broken(4, BASE), (1, End::Aborted(Broken::Inwards)));
    assert_eq!(broken(4, BASE + 65), (1, End::Aborted(Broken::Misaligned)));
    assert_eq!(broken(4, BASE + 0x1000), (1, End::Aborted(Broken::Outside)));
    assert_eq!(broken(0, u64::MAX - 7), (0, End::Aborted(Broken::Outside)));
}

proptest! {
    #[test]
    fn a_walk_of_any_back_chain_ends_within_the_stack(stack in proptest::collection::vec(0x7ff0_u64..0x8100, 1..32)) {
        let asked = RefCell::new(Vec::new());
        let read = |address: u64| {
            asked.borrow_mut().push(address);
            word(&stack, address)
        };
        let chain = walked::<64>(|callers| BackChain::of_64_bits(BASE, whole(&stack)).walk(callers, read));
        prop_assert!(chain.callers().len() <= stack.len() / 2);
        prop_assert!(asked.borrow().iter().all(|address| whole(&stack).contains(address)));
    }
}
