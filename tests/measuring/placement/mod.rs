//! Placement is compared with brute force: it finds a placement exactly if there is one, and conflicts name only requests
//! that are part of them.

pub(crate) mod demand;
pub(crate) mod oracle;

use std::array;
use std::cmp::Ordering;

use demand::{Demand, Field, QUESTIONS, Way, search};
use oracle::Board;
use pmu::CounterSet;
use pmu::driver::{Slot, Steps};
use pmu::driver::{placement::Register, placement::match_masks};
use pmu::request::{Conflict, Contention, Requests};
use proptest::prelude::*;

static REGISTERS: [Register; 3] = [Register::new(1, "A"), Register::new(2, "B"), Register::new(3, "C")];

const MANY: Steps = Steps::new(100_000, 1_000_000);

type Wish = Demand<3, 2>;

fn plain(mask: u64) -> Demand<1, 0> {
    Demand { ways: [Way::one(CounterSet::from_bits(mask), 0, [])] }
}

/// The demands whose bits are set.
fn among<D>(demands: &[D], requests: u64) -> Vec<&D> {
    demands.iter().enumerate().filter(|(position, _)| requests & 1 << position != 0).map(|(_, demand)| demand).collect()
}

fn fit(free: u64, masks: &[u64]) -> Result<Vec<u64>, Conflict> {
    let mut slots: Vec<_> = masks.iter().map(|&bits| Slot { bits, ..Slot::EMPTY }).collect();
    match_masks(CounterSet::from_bits(free), Steps::OPEN, &mut slots)?;
    Ok(slots.iter().map(|slot| slot.counter.only().bits()).collect())
}

/// Every order of the masks.
fn orders(masks: &[u64], visit: &mut impl FnMut(&[u64])) {
    fn rest(masks: &mut [u64], from: usize, visit: &mut impl FnMut(&[u64])) {
        if from + 1 >= masks.len() {
            return visit(masks);
        }
        for next in from..masks.len() {
            masks.swap(from, next);
            rest(masks, from + 1, visit);
            masks.swap(from, next);
        }
    }
    rest(&mut masks.to_vec(), 0, visit);
}

fn mirrored(masks: &[u64]) -> Vec<u64> {
    masks.iter().map(|mask| u64::from((*mask as u8).reverse_bits())).collect()
}

fn assert_distinct_and_allowed(masks: &[u64], counters: &[u64]) {
    assert!(masks.iter().zip(counters).all(|(mask, counter)| mask & counter != 0), "{masks:x?} on {counters:x?}");
    assert_eq!(counters.iter().fold(0, |set, counter| set | counter).count_ones() as usize, counters.len());
}

fn fits_in_every_order(masks: &[u64]) {
    for masks in [masks.to_vec(), mirrored(masks)] {
        orders(&masks, &mut |masks| assert_distinct_and_allowed(masks, &fit(0xFF, masks).unwrap()));
    }
}

#[test]
fn any_counter_will_do_fits_in_every_order() {
    fits_in_every_order(&[0xFF; 8]);
}

#[test]
fn a_chain_fits_in_every_order() {
    fits_in_every_order(&[0xFF, 0x7F, 0x3F, 0x1F, 0x0F, 0x07, 0x03, 0x01]);
}

#[test]
fn tight_groups_fit_in_every_order() {
    fits_in_every_order(&[0x9, 0x3, 0x3, 0xC, 0x90, 0x30, 0x30, 0xC0]);
}

#[test]
fn one_event_too_many_is_named_with_its_rivals_in_every_order() {
    for masks in [[0x7F, 0x7F, 0x3F, 0x1F, 0x0F, 0x07, 0x03, 0x01], [0x7F; 8]] {
        for masks in [masks.to_vec(), mirrored(&masks)] {
            let over = Contention::Counters(CounterSet::from_bits(masks.iter().fold(0, |all, mask| all | mask)));
            orders(&masks, &mut |masks| {
                assert_eq!(fit(0xFF, masks), Err(Conflict::new(Requests::from_bits(0xFF), over)))
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_matching_is_found_exactly_if_there_is_one(
        free in 0_u64..64,
        masks in prop::collection::vec(0_u64..64, 0..7),
    ) {
        let demands: Vec<_> = masks.iter().map(|mask| plain(mask & free)).collect();
        let room = |requests| Board::default().has_room_for(&among(&demands, requests));
        match fit(free, &masks) {
            Ok(counters) => {
                let allowed: Vec<_> = masks.iter().map(|mask| mask & free).collect();
                assert_distinct_and_allowed(&allowed, &counters);
            }
            Err(conflict) => {
                assert_needs_each(conflict.requests.bits(), room);
                let competed = among(&masks, conflict.requests.bits()).into_iter().fold(0, |all, mask| all | mask) & free;
                prop_assert_eq!(conflict.over, Contention::Counters(CounterSet::from_bits(competed)));
            }
        }
    }

    #[test]
    fn a_search_finds_a_placement_exactly_if_there_is_one(
        free in 0_u64..64,
        kept in prop::collection::vec(field(), 0..2),
        wishes in prop::collection::vec(wish(), 0..6),
    ) {
        let board = Board { taken: CounterSet::from_bits(!free), fields: kept };
        let room = |requests| board.has_room_for(&among(&wishes, requests));
        let mut slots = vec![Slot::EMPTY; wishes.len()];
        match search(CounterSet::from_bits(free), |field| board.agrees(field), &wishes, MANY, &mut slots) {
            Ok(placement) => {
                let after = placement.iter().zip(&slots).try_fold(board, |board, (way, slot)| {
                    assert_eq!(Some(slot.occupies()), oracle::takes(way, slot.counter));
                    assert_eq!(slot.bits, way.bits);
                    board.with(way, slot.counter)
                });
                prop_assert_eq!(placement.len(), wishes.len());
                prop_assert!(after.is_some(), "{:?}", slots);
            }
            Err(conflict) => {
                assert_needs_each(conflict.requests.bits(), room);
                assert_over_what(&board, &wishes, conflict);
            }
        }
    }
}

/// These requests cannot be together, and every one of them is needed for that.
fn assert_needs_each(requests: u64, room: impl Fn(u64) -> bool) {
    assert!(!room(requests), "{requests:b} can be together");
    for leaver in CounterSet::from_bits(requests) {
        assert!(room(requests & !leaver.only().bits()), "{requests:b} without {leaver} still cannot");
    }
}

/// A conflict over counters is one without the registers too; one over a register is not.
fn assert_over_what(board: &Board, wishes: &[Wish], conflict: Conflict) {
    let without = |keeps: fn(&Field, &str) -> bool, name: &str| {
        let drop = |field: Field| if keeps(&field, name) { field } else { Field::NOTHING };
        let ways = |wish: &Wish| Demand { ways: wish.ways.map(|way| Way { fields: way.fields.map(drop), ..way }) };
        let wishes: Vec<_> = wishes.iter().map(ways).collect();
        board.has_room_for(&among(&wishes, conflict.requests.bits()))
    };
    match conflict.over {
        Contention::Counters(_) => assert!(!without(|_, _| false, "")),
        Contention::Register(name) => {
            assert!(without(|_, _| false, ""));
            let alone =
                REGISTERS.iter().any(|register| without(|field, name| field.register.name() != name, register.name()));
            assert_eq!(without(|field, name| field.register.name() != name, name), alone, "{name} is not to blame");
        }
        other => panic!("{other:?} for {} requests", wishes.len()),
    }
}

fn field() -> impl Strategy<Value = Field> {
    let real = (0..3_usize, 1_u64..4, 0_u64..4).prop_map(|(r, mask, value)| Field::new(&REGISTERS[r], mask, value));
    prop_oneof![1 => Just(Field::NOTHING), 2 => real]
}

fn way() -> impl Strategy<Value = Way<2>> {
    let parts = || (0_u64..64, 0_u64..1000, [field(), field()]);
    prop_oneof![
        1 => Just(Way::NEVER),
        3 => parts().prop_map(|(mask, bits, fields)| Way::one(CounterSet::from_bits(mask), bits, fields)),
        1 => parts().prop_map(|(mask, bits, fields)| Way::pair(CounterSet::from_bits(mask), bits, fields)),
    ]
}

fn wish() -> impl Strategy<Value = Wish> {
    [way(), way(), way()].prop_map(|ways| Demand { ways })
}

#[test]
fn pairs_and_single_counters_fill_a_unit_of_sixty_four() {
    let pair = Demand { ways: [Way::<0>::pair(CounterSet::from_bits(u64::MAX / 3), 0, [])] };
    let odd = plain(!(u64::MAX / 3));
    let wishes: Vec<_> =
        (0..24).map(|_| pair).chain((0..8).map(|_| odd)).chain((0..8).map(|_| plain(u64::MAX))).collect();
    let mut slots = vec![Slot::EMPTY; wishes.len()];
    search(CounterSet::first(64), |_| true, &wishes, MANY, &mut slots).unwrap();
    let taken = slots.iter().fold(CounterSet::EMPTY, |set, slot| set.or(slot.occupies()));
    assert_eq!(taken, CounterSet::first(64));
}

#[test]
fn one_pair_too_many_is_refused_without_a_long_search() {
    let pair = Demand { ways: [Way::<0>::pair(CounterSet::first(63), 0, [])] };
    let conflict = search(CounterSet::first(64), |_| true, &[pair; 33], MANY, &mut [Slot::EMPTY; 33]).unwrap_err();
    assert_eq!(conflict.over, Contention::Counters(CounterSet::first(63)));
}

/// A request that goes one of eight ways, none of which another of the nine may go too: each two
/// share a register, in which they want a bit for each way to differ.
fn pigeon(number: usize, registers: &'static [Register]) -> Demand<8, 9> {
    let field = |way: usize, other: usize| match number.cmp(&other) {
        Ordering::Less => Field::new(&registers[number * 9 + other], 1 << way, u64::MAX),
        Ordering::Equal => Field::NOTHING,
        Ordering::Greater => Field::new(&registers[other * 9 + number], 1 << way, 0),
    };
    let ways = array::from_fn(|way| Way::one(CounterSet::first(9), 0, array::from_fn(|other| field(way, other))));
    Demand { ways }
}

#[test]
fn a_search_beyond_its_bound_says_so() {
    let registers: &[Register] = (0..81).map(|number| Register::new(number, "shared")).collect::<Vec<_>>().leak();
    let pigeons: [_; 9] = array::from_fn(|number| pigeon(number, registers));
    let conflict = search(CounterSet::first(9), |_| true, &pigeons, MANY, &mut [Slot::EMPTY; 9]).unwrap_err();
    assert_eq!(conflict, Conflict::new(Requests::from_bits(0x1FF), Contention::Effort));
}

#[test]
fn four_values_in_three_places_are_a_conflict_of_four() {
    let wish = |value: u64| {
        let place = |shift: u64| [Field::new(&REGISTERS[0], 3 << shift, (value % 4) << shift), Field::NOTHING];
        Demand { ways: [0, 2, 4].map(|shift| Way::one(CounterSet::first(40), 0, place(shift))) }
    };
    let wishes: Vec<_> = (0..40).map(wish).collect();
    let conflict = search(CounterSet::first(40), |_| true, &wishes, MANY, &mut [Slot::EMPTY; 40]).unwrap_err();
    assert_eq!((conflict.requests.len(), conflict.over), (4, Contention::Register("A")));
}

/// Returns how many questions a search asks in these steps, and how many of them about registers.
fn questions(count: usize, counters: u8, steps: Steps) -> [u32; 2] {
    let demands: Vec<Wish> = (0..count as u64)
        .map(|number| {
            let field = |register: usize| Field::new(&REGISTERS[register], !0, number + 1);
            let on = |counters: u64| CounterSet::from_bits(counters);
            let ways = [
                Way::one(on(u64::MAX), 0, [field(0), Field::NOTHING]),
                Way::one(on(u64::MAX << 1), 1, [field(1), Field::NOTHING]),
                Way::pair(on(u64::MAX), 2, [field(2), field(0)]),
            ];
            Demand { ways }
        })
        .collect();
    QUESTIONS.set([0; 2]);
    let result = search(CounterSet::first(counters), |_| true, &demands, steps, &mut vec![Slot::EMPTY; count]);
    assert!(result.is_err(), "{count} values in three registers");
    QUESTIONS.get()
}

/// An explanation was once worked out without steps for it, and looked at every way and every register of all requests.
#[test]
fn no_question_is_asked_beyond_the_steps_and_none_about_what_need_not_be_explained() {
    for (count, counters) in (4..=64).flat_map(|count| [(count, 6), (count, 16), (count, 64)]) {
        for (search, explain) in [(160, 0), (2000, 2000), (20, 20), (0, 0), (5000, 1)] {
            let [about_ways, about_registers] = questions(count, counters, Steps::new(search, explain));
            // Of each way it is asked whether it is there and whether it fits, and a last time that there are no more.
            assert!(
                about_ways <= 2 * (search + explain) + 64,
                "{count} on {counters}: {about_ways} of {search}, {explain}"
            );
            assert!(about_registers <= explain, "{count} on {counters}: {about_registers} of {explain}");
        }
    }
}
