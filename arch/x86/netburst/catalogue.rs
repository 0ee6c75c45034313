//! The events of the Pentium 4 by name.

#[rustfmt::skip]
mod tables;

use super::capabilities::Capabilities;
use super::events::{
    BRANCH_MISSES, BRANCHES, CYCLES, CounterGroup, INSTRUCTIONS, L2_MISSES, L2_REFERENCES, TAKEN_BRANCHES,
};
use super::share::Share;
use crate::event::catalogue::{
    Attribute, Catalogue, Effect, Events, GenericEvent, Groups, MaskField, OtherName, Presets, Table,
};
use crate::event::{Event, Flag};

const fn generic(name: &'static str, event: Event) -> GenericEvent {
    GenericEvent::new(name, event)
}

const fn raw(part: CounterGroup, event: u8, select: u8, mask: u16) -> Event {
    Event::raw(part.code(event, select, mask))
}

/// The generic events, as PAPI has them (icl-utk-edu/papi, src/papi_events.csv, "Pentium4/Xeon/EM64T"), but for these:
/// cycles are those of global_power_events, which PAPI leaves to the kernel's watchdog; instructions include tagged ones;
/// and misses of the second level include those of writes, as in illumos-gate (usr/src/uts/intel/pcbe/p4_pcbe.c).
const GENERIC: &[GenericEvent] = &[
    generic("papi_br_ins", BRANCHES),
    generic("papi_br_msp", BRANCH_MISSES),
    generic("papi_br_ntk", raw(CounterGroup::Iq, 0x06, 5, 0x3)),
    generic("papi_br_prc", raw(CounterGroup::Iq, 0x06, 5, 0x5)),
    generic("papi_br_tkn", TAKEN_BRANCHES),
    generic("papi_l1_ica", raw(CounterGroup::Ms, 0x09, 0, 0x3)),
    generic("papi_l1_icm", raw(CounterGroup::Bpu, 0x03, 0, 0x1)),
    generic("papi_l1_ldm", raw(CounterGroup::Iq, 0x09, 5, 0x5)),
    generic("papi_l2_ldm", raw(CounterGroup::Iq, 0x09, 5, 0x9)),
    generic("papi_l2_tca", L2_REFERENCES),
    generic("papi_l2_tch", raw(CounterGroup::Bpu, 0x0C, 7, 0x7)),
    generic("papi_l2_tcm", L2_MISSES),
    generic("papi_l3_tca", raw(CounterGroup::Bpu, 0x0C, 7, 0x238)),
    generic("papi_l3_tch", raw(CounterGroup::Bpu, 0x0C, 7, 0x38)),
    generic("papi_l3_tcm", raw(CounterGroup::Bpu, 0x0C, 7, 0x200)),
    generic("papi_res_stl", raw(CounterGroup::Iq, 0x01, 1, 0x20)),
    generic("papi_tlb_dm", raw(CounterGroup::Bpu, 0x01, 4, 0x1)),
    generic("papi_tlb_im", raw(CounterGroup::Bpu, 0x01, 4, 0x2)),
    generic("papi_tlb_tl", raw(CounterGroup::Bpu, 0x01, 4, 0x3)),
    generic("papi_tot_cyc", CYCLES),
    generic("papi_tot_iis", raw(CounterGroup::Iq, 0x02, 4, 0xF)),
    generic("papi_tot_ins", INSTRUCTIONS),
];

const fn attribute(name: &'static str, effect: Effect, largest: u64) -> Attribute {
    Attribute { name, effect, largest }
}

/// The field of the tag in an event code.
const TAG: MaskField = MaskField { shift: 32, largest: 0xF };

/// The bit of a tag in an event code.
const fn tag(bit: u32) -> Effect {
    Effect::Field(MaskField { shift: TAG.shift + bit, largest: 1 })
}

/// The attributes of cputrack: p4_pcbe.c of illumos-gate.
const ATTRIBUTES: &[Attribute] = &[
    attribute("emask", Effect::UnitMask, 0xFFFF),
    attribute("tag", Effect::Field(TAG), TAG.largest),
    attribute("compare", Effect::Compare, 1),
    attribute("complement", Effect::Flag(Flag::Invert), 1),
    attribute("threshold", Effect::MoreThan, 15),
    attribute("edge", Effect::Flag(Flag::Edge), 1),
];

/// The states of the threads in an event code.
const ACTIVE: MaskField = MaskField { shift: 36, largest: 0b11 };

/// The same with hyper-threading.
const OF_A_THREAD: &[Attribute] = &[
    ATTRIBUTES[0],
    ATTRIBUTES[1],
    ATTRIBUTES[2],
    ATTRIBUTES[3],
    ATTRIBUTES[4],
    ATTRIBUTES[5],
    attribute("active_thread", Effect::Inverted(ACTIVE), ACTIVE.largest),
];

/// The modifiers of libpfm: lib/pfmlib_intel_netburst.c. Its masks TAG0 to TAG3 are modifiers here: they are not in the
/// event's mask but in the tag.
const MODIFIERS: &[Attribute] = &[
    attribute("k", Effect::Kernel, 1),
    attribute("u", Effect::User, 1),
    attribute("e", Effect::Flag(Flag::Edge), 1),
    attribute("cmpl", Effect::Flag(Flag::Invert), 1),
    attribute("thr", Effect::MoreThan, 15),
    attribute("TAG0", tag(0), 1),
    attribute("TAG1", tag(1), 1),
    attribute("TAG2", tag(2), 1),
    attribute("TAG3", tag(3), 1),
];

/// Other names of events: the manual's and OProfile's.
const OTHER_NAMES: &[OtherName] = &[OtherName { name: "uop_type", code: CounterGroup::Iq.code(0x02, 2, 0) }];

const fn catalogue(events: &'static Table) -> Catalogue {
    Catalogue {
        groups: Groups::NONE,
        first_words: &[],
        parts: [0; 3],
        libpfm: Events::NONE,
        other_names: OTHER_NAMES,
        unit: "i386/p4",
        aliases: &[],
        events: Events::of(events),
        generic: GENERIC,
        presets: Presets::NONE,
        mask: MaskField { shift: 16, largest: 0xFFFF },
        attributes: ATTRIBUTES,
        modifiers: MODIFIERS,
        default: "global_power_events",
        costs: &[],
    }
}

/// The tables of the Pentium 4's events by name, one for each processor.
///
/// OProfile has two names of the unit, without hyper-threading and with it. Its counters 0 to 7 are those of the
/// independent bank ([`View::bank_number`](super::View::bank_number)).
impl Catalogue {
    /// The events of the Pentium 4 before Prescott, without hyper-threading.
    pub const PENTIUM_4: &'static Catalogue = &catalogue(&tables::EARLY).also(&["netburst"]);
    /// The events of the Pentium 4 from Prescott on, without hyper-threading.
    pub const PENTIUM_4_PRESCOTT: &'static Catalogue = &catalogue(&tables::PRESCOTT).also(&["netburst_p"]);
    /// The events of a thread of the Pentium 4 before Prescott.
    pub const PENTIUM_4_THREAD: &'static Catalogue =
        &with_threads(catalogue(&tables::EARLY_THREAD)).also(&["netburst"]);
    /// The events of a thread of the Pentium 4 from Prescott on.
    pub const PENTIUM_4_PRESCOTT_THREAD: &'static Catalogue =
        &with_threads(catalogue(&tables::PRESCOTT_THREAD)).also(&["netburst_p"]);
}

const fn with_threads(catalogue: Catalogue) -> Catalogue {
    Catalogue { unit: "i386/p4-ht", attributes: OF_A_THREAD, ..catalogue }
}

impl Capabilities {
    /// Returns the events by name.
    #[must_use]
    pub fn catalogue(&self) -> &'static Catalogue {
        match (self.is_prescott(), self.share) {
            (false, Share::Whole) => Catalogue::PENTIUM_4,
            (true, Share::Whole) => Catalogue::PENTIUM_4_PRESCOTT,
            (false, _) => Catalogue::PENTIUM_4_THREAD,
            (true, _) => Catalogue::PENTIUM_4_PRESCOTT_THREAD,
        }
    }
}
