//! The groups of events before POWER8, all of them: what the catalogue has in a group is counted together,
//! each event where its place is, and by the words that the public table has for the group.
//!
//! The words in `groups/` are those of OProfile's events/ppc64/*/event_mappings (GPL data; numbers alone):
//! the group's number, MMCR0, MMCR1 and MMCRA.

use pmu::arch::powerpc::Pvr;
use pmu::arch::powerpc::book3s::{Model, Privilege};
use pmu::driver::{Control, Image, Plan, Slot};
use pmu::text::{catalogue::GroupPlace, catalogue::NamedEvent};

use crate::power64::{Bench, pvr};

const MMCR0: u16 = 795;
const MMCR1: u16 = 798;
const MMCRA: u16 = 786;

/// A group as the public table has it.
struct Group {
    number: u16,
    mmcr0: u64,
    mmcr1: u64,
    mmcra: u64,
}

impl Group {
    fn of_line(line: &str) -> Self {
        let (number, words) = line.split_once(' ').unwrap();
        let mut words = words.split(' ').map(|word| u64::from_str_radix(word, 16).unwrap());
        let mut word = || words.next().unwrap();
        Self { number: number.parse().unwrap(), mmcr0: word(), mmcr1: word(), mmcra: word() }
    }

    /// The selector of a counter, where the manuals have it.
    fn select(&self, model: Model, counter: u32) -> u64 {
        match (model, counter) {
            (Model::Power4 | Model::Ppc970, 0 | 1) => self.mmcr0 >> (8 - 7 * counter) & 0x1F,
            (Model::Power4 | Model::Ppc970, 2..=6) => self.mmcr1 >> (37 - 5 * counter) & 0x1F,
            (Model::Power4 | Model::Ppc970, _) => self.mmcr1 >> 2 & 0x1F,
            (Model::Power5 | Model::Power5Plus, _) => self.mmcr1 >> (25 - 8 * counter) & 0x7F,
            _ => self.mmcr1 >> (24 - 8 * counter) & 0xFF,
        }
    }
}

/// Programs what the catalogue has of this group, and answers how many events that are.
fn comes_out_as_in_the_table(pvr: Pvr, model: Model, table: &Group) -> usize {
    let bench = Bench::of_processor(pvr, Privilege::Supervisor);
    let catalogue = bench.driver.catalogue();
    let group: Vec<(GroupPlace, NamedEvent)> = catalogue.group(table.number).collect();
    let at = format!("{}, group {}", catalogue.unit, table.number);
    let requests = group.iter().map(|(place, named)| catalogue.request_at(*named, *place));
    let demands: Vec<_> = requests.map(|request| bench.driver.encode(&request).unwrap()).collect();
    let mut slots = vec![Slot::EMPTY; demands.len()];
    let program = bench
        .driver
        .place(&bench.image.occupancy(), &demands, pmu::driver::Steps::OPEN, &mut slots)
        .unwrap_or_else(|conflict| panic!("{at} {conflict}"));
    bench.driver.load(&bench.image, &program, &slots);
    bench.run(slots.iter().map(|slot| slot.counter).collect());
    let ours = Group {
        number: table.number,
        mmcr0: bench.register(MMCR0),
        mmcr1: bench.register(MMCR1),
        mmcra: bench.register(MMCRA) & 1,
    };
    for ((place, named), slot) in group.iter().zip(&slots) {
        assert_eq!(slot.counter, place.counter(), "{at}");
        let counter = slot.counter.number().into();
        assert_eq!(ours.select(model, counter), table.select(model, counter), "{at} {}", named.name);
    }
    let beyond = ours.mmcr1 & !table.mmcr1 & !others(model, &slots);
    let marks = group.iter().any(|(_, named)| is_marked_elsewhere(model, named));
    assert_eq!((beyond, ours.mmcra & !table.mmcra), (0, u64::from(marks)), "{at}");
    group.len()
}

/// An event of marked instructions whose group in OProfile marks none. torvalds/linux has it as marked:
/// arch/powerpc/perf/power7-pmu.c, `power7_marked_instr_event`, selectors 0x30 to 0x3F but for two.
fn is_marked_elsewhere(model: Model, named: &NamedEvent) -> bool {
    model == Model::Power7 && named.name == "PM_THRESH_TIMEO"
}

/// The bits of MMCR1 that may be other than in the table: before POWER6 a unit's events may have two ways to a
/// counter, by multiplexers in bits 48 to 63; and the 970's counters have bits set where they count nothing.
fn others(model: Model, slots: &[Slot]) -> u64 {
    let counts = |number| slots.iter().any(|slot| slot.counter.number() == number);
    let idle = (2..8_u8).filter(|number| model == Model::Ppc970 && !counts(*number));
    let ways = if model < Model::Power6 { 0xFFFF << 48 } else { 0 };
    idle.map(|number| 0x1F << (37 - 5 * u32::from(number))).fold(ways, |all, field: u64| all | field)
}

/// Programs all groups, and answers how many events they have.
fn events(pvr: Pvr, model: Model, table: &str) -> usize {
    table.lines().map(|line| comes_out_as_in_the_table(pvr, model, &Group::of_line(line))).sum()
}

/// So many events are in groups; what the codes and the groups' words disagree about is not.
#[test]
fn the_groups_come_out_as_in_the_public_tables() {
    let power4 = events(pvr(Model::Power4), Model::Power4, include_str!("groups/power4.txt"));
    let power5 = events(pvr(Model::Power5), Model::Power5, include_str!("groups/power5.txt"));
    let plus = events(pvr(Model::Power5Plus), Model::Power5Plus, include_str!("groups/power5_plus.txt"));
    let power6 = events(pvr(Model::Power6), Model::Power6, include_str!("groups/power6.txt"));
    let power7 = events(pvr(Model::Power7), Model::Power7, include_str!("groups/power7.txt"));
    assert_eq!([power4, power5, plus, power6, power7], [470, 571, 590, 787, 1065]);
}

#[test]
fn the_970s_groups_do_too_and_the_970mps_are_its_own() {
    let ppc970 = events(pvr(Model::Ppc970), Model::Ppc970, include_str!("groups/ppc970.txt"));
    let multiple = Pvr::from_bits(0x0044_0100);
    let ppc970mp = events(multiple, Model::Ppc970, include_str!("groups/ppc970mp.txt"));
    assert_eq!([ppc970, ppc970mp], [372, 406]);
}
