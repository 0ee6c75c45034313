//! parse(print(x)) = x, and no text makes a parser panic.

use pmu::request::Flag;
use pmu::text::catalogue::NamedEvent;
use pmu::text::{notation::Cpc, notation::Error, notation::Oprofile, notation::Pentium, notation::Perfmon};
use pmu::{Event, Modes, Request, Set};
use proptest::prelude::*;

use crate::notation::{CATALOGUE, counter, with_toy};

fn modes() -> impl Strategy<Value = Modes> {
    prop_oneof![Just(Modes::USER), Just(Modes::KERNEL), Just(Modes::ALL)]
}

fn own(number: usize) -> NamedEvent {
    CATALOGUE.events.get(number).expect("it is in the table")
}

/// Events with a name, with a unit mask, and with neither.
fn event() -> impl Strategy<Value = Event> {
    let named = (0..CATALOGUE.events.len()).prop_map(|at| CATALOGUE.event(own(at)));
    let masked = (0..CATALOGUE.events.len(), 0..=0xFF_u64)
        .prop_map(|(at, mask)| Event::raw(CATALOGUE.mask.put(own(at).code, mask)));
    prop_oneof![named, masked, (1..=0xFFFF_FFFF_u64).prop_map(Event::raw)]
}

/// And with a value in a register beside the counter.
fn event_or_beside() -> impl Strategy<Value = Event> {
    let beside = (prop_oneof![Just(0x01B7), Just(0x01BB)], any::<u64>());
    prop_oneof![event(), beside.prop_map(|(code, value)| Event::raw_with(code, value))]
}

/// Counts that any event takes, and others.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![1..=3000_u64, 3000..=u64::MAX]
}

fn refined() -> impl Strategy<Value = Request> {
    (event(), modes(), any::<u8>(), any::<bool>(), any::<bool>()).prop_map(|(event, modes, threshold, edge, invert)| {
        let request = Request::new(event).modes(modes).threshold(threshold);
        let request = if edge { request.flag(Flag::Edge) } else { request };
        if invert { request.flag(Flag::Invert) } else { request }
    })
}

proptest! {
    #[test]
    fn cputracks_notation_is_read_as_it_was_printed(requests in proptest::collection::vec(refined(), 1..=4)) {
        let pinned: Vec<_> = (0..).zip(&requests).map(|(on, request)| request.pinned_to(counter(on))).collect();
        with_toy(|toy| {
            let text = Cpc::of(&pinned, toy).unwrap().to_string();
            let read: Set<4> = Cpc::parse(&text, toy).unwrap_or_else(|error| panic!("{}", error.in_text(&text)));
            assert_eq!(read.requests(), &pinned[..], "{text}");
        });
    }

    #[test]
    fn oprofiles_notation_is_read_as_it_was_printed(event in event(), modes in modes(), count in count()) {
        let request = [Request::new(event).modes(modes).every(count)];
        with_toy(|toy| {
            let text = Oprofile::of(&request, toy).unwrap().to_string();
            let read: Set<1> = Oprofile::parse(&text, toy).unwrap_or_else(|error| panic!("{}", error.in_text(&text)));
            assert_eq!(read.requests(), request, "{text}");
        });
    }

    #[test]
    fn libpfms_notation_is_read_as_it_was_printed(
        mut requests in proptest::collection::vec(refined(), 1..=4),
        event in event_or_beside(),
    ) {
        requests[0].event = event;
        with_toy(|toy| {
            let text = Perfmon::of(&requests, toy).unwrap().to_string();
            let read: Set<4> = Perfmon::parse(&text, toy).unwrap_or_else(|error| panic!("{}", error.in_text(&text)));
            assert_eq!(read.requests(), &requests[..], "{text}");
        });
    }

    #[test]
    fn no_text_makes_a_parser_fall_over(text in any::<String>()) {
        every_parser_answers(&text)?;
    }

    #[test]
    fn no_text_of_known_words_makes_a_parser_fall_over(words in proptest::collection::vec(prop_oneof![
        Just("pic0"), Just("pic"), Just("="), Just(","), Just(":"), Just("::"), Just("."), Just("toy"), Just("misc2"),
        Just("DC_refill"), Just("owned"), Just("sys"), Just("nouser0"), Just("umask1"), Just("0x"), Just("99"), Just("é"),
        Just("default"), Just("PAPI_tot_cyc"), Just(" "), Just("c"), Just("u"), Just("18446744073709551615"),
        Just("0x1b7"), Just("offcore_rsp"), Just("ldlat"),
    ], 0..12)) {
        every_parser_answers(&words.concat())?;
    }
}

/// And an error points into the text.
fn every_parser_answers(text: &str) -> Result<(), TestCaseError> {
    let results: [Result<Set<4>, Error>; 6] = with_toy(|toy| {
        [
            Cpc::parse(text, toy),
            Cpc::parse_ultrasparc(text, toy),
            Cpc::parse_pentium(text, toy, Pentium::P6),
            Oprofile::parse(text, toy),
            Oprofile::parse_with_call_chains(text, toy),
            Perfmon::parse(text, toy),
        ]
    });
    for error in results.into_iter().filter_map(Result::err) {
        prop_assert!(text.get(error.at.clone()).is_some(), "{:?} in {:?}", error, text);
    }
    Ok(())
}
