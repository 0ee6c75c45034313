//! Book3S 64's events by name.

mod presets;
#[rustfmt::skip]
mod tables;

use super::capabilities::Capabilities;
use super::model::Model;
use crate::event::catalogue::{Attribute, Catalogue, Effect, Events, GenericEvent, Groups, OtherName, Table};
use crate::event::{CounterId, Event};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

/// The counters of a processor's generic events, PMC1 in bit 0, as the manual or the list that each table names has them.
struct Able {
    branches: u64,
    branch_misses: u64,
    cache_references: u64,
    cache_misses: u64,
    cycles: u64,
    instructions: u64,
}

impl Able {
    /// The generic events of POWER4, the 970 and POWER5, whose caches are the first level. PAPI's mispredicted branches
    /// are a sum.
    const fn of_first_level(&self) -> [GenericEvent; 5] {
        [
            generic("papi_br_ins", Event::BRANCHES).on(self.branches),
            generic("papi_l1_dcr", Event::CACHE_REFERENCES).on(self.cache_references),
            generic("papi_l1_ldm", Event::CACHE_MISSES).on(self.cache_misses),
            generic("papi_tot_cyc", Event::CYCLES).on(self.cycles),
            generic("papi_tot_ins", Event::INSTRUCTIONS).on(self.instructions),
        ]
    }

    /// The generic events from POWER6 on, whose caches are the third level.
    const fn of_third_level(&self) -> [GenericEvent; 6] {
        [
            generic("papi_br_ins", Event::BRANCHES).on(self.branches),
            generic("papi_br_msp", Event::BRANCH_MISSES).on(self.branch_misses),
            generic("papi_l3_dcr", Event::CACHE_REFERENCES).on(self.cache_references),
            generic("papi_l3_ldm", Event::CACHE_MISSES).on(self.cache_misses),
            generic("papi_tot_cyc", Event::CYCLES).on(self.cycles),
            generic("papi_tot_ins", Event::INSTRUCTIONS).on(self.instructions),
        ]
    }
}

/// POWER4 and the 970, whose branches two units count, each for two counters.
const OF_EIGHT: Able = Able {
    branches: 0b1100_1100,
    branch_misses: 0,
    cache_references: 1 << 7,
    cache_misses: 1 << 2,
    cycles: 0xFF,
    instructions: 0xFF,
};
const OF_970: &[GenericEvent] = &OF_EIGHT.of_first_level();
const OF_POWER4: &[GenericEvent] = &Able { instructions: 0b1110_1001, ..OF_EIGHT }.of_first_level();

const FROM_POWER5: Able = Able {
    branches: 0b1100,
    branch_misses: 1 << 3,
    cache_references: 1 << 3,
    cache_misses: 1 << 2,
    cycles: 0b1111,
    instructions: 0b11,
};
const OF_POWER5: &[GenericEvent] = &FROM_POWER5.of_first_level();
const OF_POWER5_PLUS: &[GenericEvent] = &Able { branches: 0b1111, cache_references: 1, ..FROM_POWER5 }.of_first_level();
const OF_POWER6: &[GenericEvent] =
    &Able { branches: 0b1111, cache_references: 0b0110, cache_misses: 0b1100, instructions: 0b1111, ..FROM_POWER5 }
        .of_third_level();
const OF_POWER7: &[GenericEvent] =
    &Able { branches: 1, cache_references: 1 << 1, instructions: 0b1111, ..FROM_POWER5 }.of_third_level();
/// From POWER8 on PMC5 counts instructions and PMC6 cycles.
const SINCE_POWER8: &[GenericEvent] = &Able {
    branches: 1 << 3,
    branch_misses: 1 << 3,
    cache_references: 1 << 1,
    cache_misses: 1 << 2,
    cycles: 0b10_1111,
    instructions: 0b01_1111,
}
.of_third_level();

/// Microwatt has the architected events alone, and one level of caches.
const OF_MICROWATT: &[GenericEvent] = &[
    generic("papi_br_msp", Event::BRANCH_MISSES).on(1 << 3),
    generic("papi_l1_ldm", Event::CACHE_MISSES).on(1 << 3),
    generic("papi_tot_cyc", Event::CYCLES).on(0b10_0001),
    generic("papi_tot_ins", Event::INSTRUCTIONS).on(0b01_0001),
];

/// The modifiers of libpfm, from its layer for perf_event: lib/pfmlib_perf_event.c.
const MODIFIERS: &[Attribute] = &[
    Attribute { name: "h", effect: Effect::Hypervisor, largest: 1 },
    Attribute { name: "k", effect: Effect::Kernel, largest: 1 },
    Attribute { name: "u", effect: Effect::User, largest: 1 },
];

const fn catalogue(unit: &'static str, events: &'static Table, default: &'static str) -> Catalogue {
    Catalogue {
        unit,
        events: Events::of(events),
        generic: SINCE_POWER8,
        modifiers: MODIFIERS,
        default,
        ..Catalogue::EMPTY
    }
}

/// Creates a catalogue with groups. Its codes contain their counters from bit `number_at` on.
const fn grouped(
    unit: &'static str,
    events: &'static Table,
    number_at: u32,
    generic: &'static [GenericEvent],
) -> Catalogue {
    Catalogue { groups: Groups { number_at, ..Groups::NONE }, generic, ..catalogue(unit, events, "CYCLES") }
}

/// Adds what each of the groups from 1 to `last` has on PMC5 and PMC6: instructions by this name, and cycles while CTRL\[RUN\]
/// is set. These counters are not used ([`Model::usable`]), and PMC1 to PMC4 count the same.
const fn with_last_two(catalogue: Catalogue, last: u16, everywhere: &'static [(&'static str, CounterId)]) -> Catalogue {
    Catalogue { groups: Groups { last, everywhere, ..catalogue.groups }, ..catalogue }
}

const PMC5: CounterId = CounterId::new(4).expect("a counter");
const PMC6: CounterId = CounterId::new(5).expect("a counter");
/// The events of POWER5's PMC5 and PMC6 (OProfile's events/ppc64/power5/events).
const LAST_TWO_OF_POWER5: &[(&str, CounterId)] = &[("PM_INST_CMPL", PMC5), ("PM_RUN_CYC", PMC6)];
/// Those of POWER5+ and POWER7 (events/ppc64/power5+/events and power7/events).
const LAST_TWO: &[(&str, CounterId)] = &[("PM_RUN_INST_CMPL", PMC5), ("PM_RUN_CYC", PMC6)];

/// The tables of the POWER processors' events by name, one for each processor.
///
/// Codes have the layout that [the family's page](super) describes, and may contain a counter. The lists of
/// processors before POWER8 have groups: an event has places in them, and `PM_CYC_GRP1` is PM_CYC in group 1.
impl Catalogue {
    /// The events of POWER4.
    pub const POWER4: &'static Catalogue =
        &Catalogue { ..grouped("ppc64/power4", &tables::POWER4, 12, OF_POWER4) }.with_presets(presets::POWER4);
    /// The events of PowerPC 970.
    pub const PPC970: &'static Catalogue =
        &Catalogue { ..grouped("ppc64/970", &tables::PPC970, 12, OF_970).also(&["ppc970"]) }
            .with_presets(presets::PPC970);
    /// The events of PowerPC 970MP.
    pub const PPC970MP: &'static Catalogue =
        &Catalogue { ..grouped("ppc64/970MP", &tables::PPC970MP, 12, OF_970).also(&["ppc970mp"]) }
            .with_presets(presets::PPC970MP);
    /// The events of POWER5.
    pub const POWER5: &'static Catalogue =
        &with_last_two(grouped("ppc64/power5", &tables::POWER5, 20, OF_POWER5), 148, LAST_TWO_OF_POWER5)
            .with_presets(presets::POWER5);
    /// The events of POWER5+.
    pub const POWER5_PLUS: &'static Catalogue =
        &with_last_two(grouped("ppc64/power5+", &tables::POWER5_PLUS, 20, OF_POWER5_PLUS), 153, LAST_TWO)
            .also(&["power5p"])
            .with_presets(presets::POWER5_PLUS);
    /// The events of POWER5++, which is POWER5+ of revision 3.
    pub const POWER5_PLUS_PLUS: &'static Catalogue =
        &Catalogue { ..grouped("ppc64/power5++", &tables::POWER5_PLUS_PLUS, 20, OF_POWER5_PLUS) }
            .also(&["power5p"])
            .with_presets(presets::POWER5_PLUS);
    /// The events of POWER6.
    pub const POWER6: &'static Catalogue =
        &Catalogue { ..grouped("ppc64/power6", &tables::POWER6, 20, OF_POWER6) }.with_presets(presets::POWER6);
    /// The events of POWER7.
    pub const POWER7: &'static Catalogue =
        &with_last_two(grouped("ppc64/power7", &tables::POWER7, 16, OF_POWER7), 268, LAST_TWO)
            .with_presets(presets::POWER7);
    // CYCLES is OProfile's default (events/ppc64/power8/events).
    /// The events of POWER8.
    pub const POWER8: &'static Catalogue = &Catalogue { ..catalogue("ppc64/power8", &tables::POWER8, "PM_CYC") }
        .with_other_names(&[OtherName { name: "CYCLES", code: 0x001E }])
        .with_presets(presets::POWER8);
    /// The events of POWER9.
    pub const POWER9: &'static Catalogue = &Catalogue { ..catalogue("ppc64/power9", &tables::POWER9, "PM_CYC") }
        .with_other_names(&[OtherName { name: "CYCLES", code: 0x001E }])
        .with_presets(presets::POWER9);
    /// The events of Microwatt: those that the architecture defines.
    pub const MICROWATT: &'static Catalogue =
        &Catalogue { generic: OF_MICROWATT, ..catalogue("ppc64/microwatt", &tables::MICROWATT, "PM_CYC") };
    /// The events of POWER10.
    pub const POWER10: &'static Catalogue = &Catalogue { ..catalogue("ppc64/power10", &tables::POWER10, "PM_CYC") }
        .with_other_names(&[OtherName { name: "CYCLES", code: 0x1_00F0 }])
        .with_presets(presets::POWER10);
}

/// The 970MP's version in the processor version register.
const VERSION_OF_970MP: u16 = 0x0044;
/// The revisions of POWER5+ that are POWER5++, whose groups are others (torvalds/linux, arch/powerpc/kernel/cputable.c).
const REVISIONS_OF_POWER5_PLUS_PLUS: u16 = 0x03;

impl Capabilities {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match self.model {
            Model::Power4 => Catalogue::POWER4,
            Model::Ppc970 if self.pvr.version() == VERSION_OF_970MP => Catalogue::PPC970MP,
            Model::Ppc970 => Catalogue::PPC970,
            Model::Power5 => Catalogue::POWER5,
            Model::Power5Plus if self.pvr.revision() >> 8 == REVISIONS_OF_POWER5_PLUS_PLUS => {
                Catalogue::POWER5_PLUS_PLUS
            }
            Model::Power5Plus => Catalogue::POWER5_PLUS,
            Model::Power6 => Catalogue::POWER6,
            Model::Power7 => Catalogue::POWER7,
            Model::Power8 => Catalogue::POWER8,
            Model::Power9 => Catalogue::POWER9,
            Model::Microwatt => Catalogue::MICROWATT,
            Model::Power10 => Catalogue::POWER10,
        }
    }
}
