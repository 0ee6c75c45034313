//! The ring between the interrupt and its one reader.

use super::*;

fn interrupt<const N: usize>(ring: &Ring<N>, losses: &Losses, address: u64, counters: &[u8]) {
    let mut pen = ring.pen(Interrupted::new(address, Mode::Kernel).in_thread(7), losses);
    for &number in counters {
        pen.write(Label::new(CounterId::new(number).unwrap(), SessionId(9)));
    }
    pen.publish();
}

#[test]
fn samples_come_out_as_they_went_in() {
    let (ring, losses) = (Ring::<4>::new(), Losses::none());
    interrupt(&ring, &losses, 0x1000, &[2, 63]);
    let read: Vec<_> = ring.reader(&losses).unwrap().collect();
    let expected = [2, 63].map(|number| Sample {
        address: 0x1000,
        counter: CounterId::new(number).unwrap(),
        session: SessionId(9),
        mode: Mode::Kernel,
        thread: 7,
    });
    assert_eq!(read, expected);
}

#[test]
fn a_full_ring_keeps_the_oldest_and_counts_the_loss() {
    let (ring, losses) = (Ring::<2>::new(), Losses::none());
    for address in 0..5 {
        interrupt(&ring, &losses, address, &[0]);
    }
    let mut reader = ring.reader(&losses).unwrap();
    assert_eq!(reader.by_ref().map(|sample| sample.address).collect::<Vec<_>>(), [0, 1]);
    assert_eq!((reader.received(), reader.lost().ring_full), (2, 3));
}

#[test]
fn a_ring_of_no_size_loses_everything_and_says_so() {
    let (ring, losses) = (Ring::<0>::new(), Losses::none());
    interrupt(&ring, &losses, 1, &[0, 1]);
    let mut reader = ring.reader(&losses).unwrap();
    assert_eq!((reader.next(), reader.lost().total()), (None, 2));
}

#[test]
fn samples_that_are_discarded_make_room() {
    let (ring, losses) = (Ring::<2>::new(), Losses::none());
    let mut reader = ring.reader(&losses).unwrap();
    for address in 0..10 {
        interrupt(&ring, &losses, address, &[0]);
        reader.discard();
    }
    assert_eq!((reader.next(), reader.received(), reader.lost().total()), (None, 10, 0));
}

#[test]
fn what_waits_is_known_before_the_ring_is_full_and_after() {
    let (ring, losses) = (Ring::<4>::new(), Losses::none());
    let waiting = [0, 1, 2, 3, 4, 5].map(|address| {
        interrupt(&ring, &losses, address, &[0]);
        ring.waiting()
    });
    assert_eq!(waiting, [1, 2, 3, 4, 4, 4]);
    ring.reader(&losses).unwrap().next();
    assert_eq!(
        ring.statistics(&losses).to_string(),
        "4 received, 3 waiting, 2 lost (2 ring full, 0 outrun, 0 stopped)"
    );
    ring.reader(&losses).unwrap().discard();
    assert_eq!(ring.waiting(), 0);
}

#[test]
fn nothing_waits_in_a_ring_of_no_size() {
    let (ring, losses) = (Ring::<0>::new(), Losses::none());
    interrupt(&ring, &losses, 1, &[0, 1]);
    assert_eq!((ring.waiting(), ring.statistics(&losses).lost.ring_full), (0, 2));
}

#[test]
fn there_is_one_reader_at_a_time() {
    let (ring, losses) = (Ring::<2>::new(), Losses::none());
    let first = ring.reader(&losses).unwrap();
    assert_eq!(ring.reader(&losses).err(), Some(Error::ReaderTaken));
    drop(first);
    assert!(ring.reader(&losses).is_ok());
}

#[test]
fn the_ring_goes_round_without_losing_its_place() {
    let (ring, losses) = (Ring::<4>::new(), Losses::none());
    let mut reader = ring.reader(&losses).unwrap();
    for address in 0..1000 {
        interrupt(&ring, &losses, address, &[1]);
        assert_eq!(reader.next().map(|sample| sample.address), Some(address));
    }
    assert_eq!(reader.lost(), Lost::default());
}
