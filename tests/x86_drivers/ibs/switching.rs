//! Threads that are sampled while they are switched in.

use super::*;

#[test]
fn a_threads_period_goes_on_over_switches() {
    for identity in [FAMILY_10H, FAMILY_15H, ZEN_2, ZEN_4] {
        let (device, records) = (device(&identity), Records::<11, 64>::new());
        let sampler = op(&identity, &device);
        // Each thread retires ops at its own addresses, the second's with another period.
        let periods = [PERIOD, PERIOD + 16];
        let mut programs =
            periods.map(|period| records.encode(&sampler, &Request::new(Op::OPS).every(period)).unwrap());
        let mut retired = [0, 1 << 32];
        for turn in 0..40 {
            let thread = turn % 2;
            records.start(&sampler, programs[thread]);
            let length = 7 + 5 * turn as u64 % 50;
            retire(&device, &records, &sampler, retired[thread]..retired[thread] + length);
            retired[thread] += length;
            programs[thread] = records.stop(&sampler, thread as u32).unwrap();
        }
        let found = addresses(&records, &sampler);
        for (first, (period, end)) in [0, 1 << 32].into_iter().zip(periods.into_iter().zip(retired)) {
            let of_thread: Vec<_> = found.iter().filter(|&&address| address >> 32 == first >> 32).collect();
            let expected: Vec<_> = (1..).map(|n| first + n * (period + 1) - 1).take_while(|&at| at < end).collect();
            assert_eq!(of_thread, Vec::from_iter(&expected), "{}", identity.name());
            assert!(expected.len() >= 3);
        }
    }
}

#[test]
fn a_period_whose_count_cannot_be_read_begins_anew() {
    let (device, records) = (device(&FIRST), Records::<11, 2>::new());
    let sampler = op(&FIRST, &device);
    start(&records, &sampler, Event::CYCLES, PERIOD);
    device.advance(0, 100);
    let program = records.stop(&sampler, 0).unwrap();
    records.start(&sampler, program);
    assert_eq!(device.until_tagged(), Some(PERIOD));
}

#[test]
fn a_fetchs_period_goes_on_without_its_low_bits() {
    for identity in ALL {
        let (device, records) = (device(&identity), Records::<6, 2>::new());
        let sampler = fetch(&identity, &device);
        start(&records, &sampler, Event::raw(0), 160);
        device.advance_fetches(100);
        let program = records.stop(&sampler, 0).unwrap();
        records.start(&sampler, program);
        assert_eq!(device.until_fetch(), Some(160 - 96));
    }
}

#[test]
fn nothing_is_stopped_twice() {
    let (device, records) = (device(&ZEN_4), Records::<11, 2>::new());
    let sampler = op(&ZEN_4, &device);
    assert_eq!(records.stop(&sampler, 0), None);
    start(&records, &sampler, Op::OPS, PERIOD);
    assert!(records.stop(&sampler, 0).is_some());
    assert_eq!((records.stop(&sampler, 0), device.until_tagged()), (None, None));
}
