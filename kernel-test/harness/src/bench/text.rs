//! What does it cost to get from a text to counters, by the processor's own table of names?

use core::fmt::{self, Write};
use core::hint::black_box;

use pmu::text::{catalogue::Catalogue, catalogue::Effect};
use pmu::text::{notation::Perfmon, notation::Processor};
use pmu::{Context, Event, Pmu, Set};

use super::figures::Figures;
use super::requests::own;
use super::{Cost, Measured, Reached};
use crate::Words;

/// So many events are named.
const EVENTS: usize = 4;

type Requests = Set<EVENTS>;
type Thread<D> = Context<D, EVENTS>;
type LookUp = fn(&Catalogue, &str) -> bool;
type Parse = fn(&str, Processor) -> Requests;
type Bind<D> = fn(&mut Thread<D>, &Pmu<'static, D>, &str, Processor) -> pmu::Result<()>;

/// Prints the figures: a name of the table and one that it does not have; a text with several, alone and with counters found
/// for what it says.
pub(super) fn measure<S: Measured>(figures: &Figures<S>) {
    let processor = figures.pmu.processor();
    figures.print("names.hit", costliest::<S>(processor.catalogue, ""), Reached::Called);
    figures.print("names.miss", costliest::<S>(processor.catalogue, "Z"), Reached::Called);
    let text = text(figures, processor.catalogue);
    let text = text.as_ref().map(Words::as_str);
    figures.print("parse.4", text.map(|text| parsing::<S>(text, processor)), Reached::Called);
    figures.print("parse_place.4", text.map(|text| binding(figures, text, processor)), Reached::Called);
}

/// Looks up each name of the table with this behind it. Returns what the costliest costs.
fn costliest<S: Measured>(catalogue: &Catalogue, behind: &str) -> Option<S::Cost> {
    let look_up: LookUp = black_box(|catalogue, name| catalogue.named(name).is_some());
    let costs = catalogue.events.iter().map(|named| {
        let mut name = Words::default();
        write!(name, "{}{behind}", named.name).expect("a name is short");
        let name = name.as_str();
        let (cost, is_there) = S::Cost::measure::<S::Kernel, _>(|| look_up(catalogue, name));
        assert_eq!(is_there, behind.is_empty(), "{name}");
        cost
    });
    costs.reduce(S::Cost::or_more)
}

fn parsing<S: Measured>(text: &str, processor: Processor) -> S::Cost {
    let parse: Parse = black_box(parse);
    let (cost, requests) = S::Cost::measure::<S::Kernel, _>(|| parse(text, processor).len());
    assert_eq!(requests, EVENTS);
    cost
}

fn binding<S: Measured>(figures: &Figures<S>, text: &str, processor: Processor) -> S::Cost {
    let (mut thread, bind): (_, Bind<S::Driver>) = (Context::new(1), black_box(bind));
    let (cost, bound) = S::Cost::measure::<S::Kernel, _>(|| bind(&mut thread, &figures.pmu, text, processor));
    bound.expect("the events can be counted together");
    cost
}

fn parse(text: &str, processor: Processor) -> Requests {
    Perfmon::parse(text, processor).expect("the text is right")
}

/// Reads the requests, encodes them and finds counters for them.
fn bind<D: pmu::driver::Driver>(
    thread: &mut Thread<D>,
    pmu: &Pmu<'static, D>,
    text: &str,
    processor: Processor,
) -> pmu::Result<()> {
    thread.bind(pmu, parse(text, processor))
}

/// Names four events of the table that the unit can count together, as people write them: `NAME:k:u,NAME:k:u`. They are
/// as far from each other in the table as they can be.
fn text<S: Measured>(figures: &Figures<S>, catalogue: &Catalogue) -> Option<Words> {
    let mut text = Words::default();
    let mut requests = Requests::new();
    for number in 0..EVENTS {
        let request = own(&figures.pmu, number, EVENTS).find(|&request| {
            let mut with = requests;
            with.add(request).is_ok() && with.repeated().is_none() && Context::new(1).bind(&figures.pmu, with).is_ok()
        })?;
        requests.add(request).ok()?;
        name(&mut text, catalogue, number, request.event).ok()?;
    }
    Some(text)
}

fn name(text: &mut Words, catalogue: &Catalogue, number: usize, event: Event) -> fmt::Result {
    let named = catalogue.events.iter().find(|named| catalogue.event(*named) == event).ok_or(fmt::Error)?;
    write!(text, "{}{}", if number > 0 { "," } else { "" }, named.name)?;
    let modes = catalogue.modifiers.iter().filter(|modifier| matches!(modifier.effect, Effect::User | Effect::Kernel));
    modes.into_iter().try_for_each(|modifier| write!(text, ":{}", modifier.name))
}
