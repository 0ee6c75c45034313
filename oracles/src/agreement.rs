//! What both know is encoded alike, and what libpfm prints is read here.
//!
//! libpfm is asked for each event, alone and with each of its unit masks, and prints it in full:
//! `skl::UOPS_ISSUED:STALL_CYCLES:k=1:u=1:e=0:i=1:c=1:t=0:intx=0:intxcp=0`. That text is parsed here.

use std::iter;
use std::sync::LazyLock;

use pmu::request::Flag;
use pmu::text::notation::Perfmon;
use pmu::text::notation::Processor;
use pmu::{Event, Modes, Request, Set};

use crate::library::{Encoded, Library};
use crate::names::{Compared, Verdict};
use crate::units::{self, Unit};

/// The bits of a selector that say nothing of the event: the interrupt's and the counter's enable.
const INT_AND_EN: u64 = 1 << 20 | 1 << 22;

/// Events that libpfm encodes in another way, and who has ours. intel/perfmon is Intel's own list.
const DISAGREEMENTS: &[(&str, &str)] = &[
    ("amd64_fam10h_barcelona::L1_DTLB_MISS_AND_L2_DTLB_HIT:ALL", "OProfile: pages of 1 GB are among all sizes"),
    ("amd64_fam11h_turion::SYSTEM_READ_RESPONSES:ALL", "OProfile: its masks are 0x01 to 0x08"),
    ("amd64_fam14h_bobcat::PDC_MISS:ALL", "OProfile: its masks are 0x01 to 0x40"),
    ("amd64_k8_revb::L2_FILL_WRITEBACK:ALL", "libpfm of revision G: its masks are 0x01, 0x02"),
    ("amd64_k8_revb::PROBE:ALL", "libpfm of revision G: its masks are 0x01 to 0x40"),
    (
        "amd64_fam15h_interlagos::DATA_CACHE_REFILLS_FROM_L2_OR_NORTHBRIDGE:ALL",
        "OProfile: its masks are 0x01, 0x02, 0x08",
    ),
    ("atom::BOGUS_BR", "intel/perfmon: 0x01E4"),
    ("atom::BR_INST_RETIRED:MISPRED", "intel/perfmon: 0x00C5, the architectural event"),
    ("atom::CYCLES_DIV_BUSY", "intel/perfmon: 0x0114"),
    ("atom::HW_INT_RCV", "intel/perfmon: 0x00C8"),
    ("atom::PREFETCH:PREFETCHNTA", "intel/perfmon: 0x8807"),
    ("atom::PREFETCH:PREFETCHT0", "intel/perfmon: 0x8107"),
    ("atom::PREFETCH:SW_L2", "intel/perfmon: 0x8607"),
    ("glm::CPU_CLK_UNHALTED:CORE_P", "intel/perfmon: 0x003C, the architectural event"),
    ("glm::CPU_CLK_UNHALTED:REF", "intel/perfmon: 0x013C, the architectural event"),
    ("spr::INST_RETIRED:ANY", "intel/perfmon: fixed counter 0 alone, whose code is 0x0100"),
    ("wsm::INST_RETIRED:ANY", "intel/perfmon: fixed counter 0 alone, whose code is 0x0100"),
    ("wsm_dp::INST_RETIRED:ANY", "intel/perfmon: fixed counter 0 alone, whose code is 0x0100"),
    ("hsw::L2_RQSTS:CODE_RD_HIT", "intel/perfmon: 0xC424"),
    ("hsw_ep::L2_RQSTS:CODE_RD_HIT", "intel/perfmon: 0xC424"),
    ("bdw::L2_RQSTS:CODE_RD_HIT", "intel/perfmon: 0xC424"),
    ("bdw_ep::L2_RQSTS:CODE_RD_HIT", "intel/perfmon: 0xC424"),
    ("hsw::L2_RQSTS:DEMAND_DATA_RD_HIT", "intel/perfmon: 0xC124"),
    ("hsw_ep::L2_RQSTS:DEMAND_DATA_RD_HIT", "intel/perfmon: 0xC124"),
    ("bdw::L2_RQSTS:DEMAND_DATA_RD_HIT", "intel/perfmon: 0xC124"),
    ("bdw_ep::L2_RQSTS:DEMAND_DATA_RD_HIT", "intel/perfmon: 0xC124"),
    ("nhm::BR_INST_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x04C4; 0x00C4 is the architectural event"),
    ("nhm_ex::BR_INST_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x04C4; 0x00C4 is the architectural event"),
    ("nhm::INST_RETIRED:ANY_P", "intel/perfmon: 0x01C0; 0x00C0 is the architectural event"),
    ("nhm_ex::INST_RETIRED:ANY_P", "intel/perfmon: 0x01C0; 0x00C0 is the architectural event"),
    ("nhm::MACRO_INSTS:FUSIONS_DECODED", "intel/perfmon: 0x01A6; 0x01D0 is MACRO_INSTS.DECODED"),
    ("nhm_ex::MACRO_INSTS:FUSIONS_DECODED", "intel/perfmon: 0x01A6; 0x01D0 is MACRO_INSTS.DECODED"),
    ("wsm::BR_INST_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x04C4; 0x00C4 is the architectural event"),
    ("wsm_dp::BR_INST_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x04C4; 0x00C4 is the architectural event"),
    ("wsm::BR_MISP_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x04C5; 0x00C5 is the architectural event"),
    ("wsm_dp::BR_MISP_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x04C5; 0x00C5 is the architectural event"),
    ("snb::BR_INST_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x00C4; 0x04C4 is ALL_BRANCHES_PEBS"),
    ("snb_ep::BR_INST_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x00C4; 0x04C4 is ALL_BRANCHES_PEBS"),
    ("snb::BR_MISP_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x00C5; 0x04C5 is ALL_BRANCHES_PEBS"),
    ("snb_ep::BR_MISP_RETIRED:ALL_BRANCHES", "intel/perfmon: 0x00C5; 0x04C5 is ALL_BRANCHES_PEBS"),
    ("snb::L3_LAT_CACHE:MISS", "intel/perfmon: 0x412E, the architectural event"),
    ("snb_ep::L3_LAT_CACHE:MISS", "intel/perfmon: 0x412E, the architectural event"),
    ("snb::L3_LAT_CACHE:REFERENCE", "intel/perfmon: 0x4F2E, the architectural event"),
    ("snb_ep::L3_LAT_CACHE:REFERENCE", "intel/perfmon: 0x4F2E, the architectural event"),
    ("ivb::MOVE_ELIMINATION:INT_ELIMINATED", "intel/perfmon: 0x0158"),
    ("ivb_ep::MOVE_ELIMINATION:INT_ELIMINATED", "intel/perfmon: 0x0158"),
    ("ivb::MOVE_ELIMINATION:INT_NOT_ELIMINATED", "intel/perfmon: 0x0458"),
    ("ivb_ep::MOVE_ELIMINATION:INT_NOT_ELIMINATED", "intel/perfmon: 0x0458"),
    ("ivb_ep::MEM_LOAD_UOPS_LLC_MISS_RETIRED:LOCAL_DRAM", "intel/perfmon: 0x03D3"),
    ("icl::MEM_LOAD_MISC_RETIRED:UC", "intel/perfmon: 0x04D4"),
    ("icx::MEM_LOAD_MISC_RETIRED:UC", "intel/perfmon: 0x04D4"),
    ("icl::TOPDOWN:BACKEND_BOUND_SLOTS", "intel/perfmon: 0x02A4; libpfm has the metric of PERF_METRICS"),
    ("icx::TOPDOWN:BACKEND_BOUND_SLOTS", "intel/perfmon: 0x02A4; libpfm has the metric of PERF_METRICS"),
    ("spr::EXE:AMX_BUSY", "intel/perfmon: 0x02B7 alone"),
    ("spr::INT_MISC:UNKNOWN_BRANCH_CYCLES", "intel/perfmon: 0x40AD with 7 beside it"),
    ("spr::MEM_TRANS_RETIRED:STORE_SAMPLE", "intel/perfmon: 0x02CD"),
    ("spr::TOPDOWN:BACKEND_BOUND_SLOTS", "intel/perfmon: 0x02A4; libpfm has the metric of PERF_METRICS"),
    ("spr::TOPDOWN:BAD_SPEC_SLOTS", "intel/perfmon: 0x04A4; libpfm has the metric of PERF_METRICS"),
    ("spr::TOPDOWN:BR_MISPREDICT_SLOTS", "intel/perfmon: 0x08A4; libpfm has the metric of PERF_METRICS"),
    ("spr::TOPDOWN:MEMORY_BOUND_SLOTS", "intel/perfmon: 0x10A4; libpfm has the metric of PERF_METRICS"),
    ("spr::UOPS_RETIRED:MS", "intel/perfmon: 0x04C2 with 8 beside it"),
    ("hsw::L2_RQSTS:RFO_HIT", "intel/perfmon: 0xC224"),
    ("hsw::L2_RQSTS:L2_PF_HIT", "intel/perfmon: 0xD024"),
    ("hsw::L2_RQSTS:L2_PF_MISS", "intel/perfmon: 0x3024"),
    ("hsw::UOPS_RETIRED:TOTAL_CYCLES", "intel/perfmon: fewer than 16"),
    ("hsw_ep::L2_RQSTS:RFO_HIT", "intel/perfmon: 0xC224"),
    ("hsw_ep::L2_RQSTS:L2_PF_HIT", "intel/perfmon: 0xD024"),
    ("hsw_ep::L2_RQSTS:L2_PF_MISS", "intel/perfmon: 0x3024"),
    ("hsw_ep::UOPS_RETIRED:TOTAL_CYCLES", "intel/perfmon: fewer than 16"),
    ("bdw::L2_RQSTS:RFO_HIT", "intel/perfmon: 0xC224"),
    ("bdw::L2_RQSTS:L2_PF_HIT", "intel/perfmon: 0xD024"),
    ("bdw::L2_RQSTS:L2_PF_MISS", "intel/perfmon: 0x3024"),
    ("bdw::UOPS_RETIRED:TOTAL_CYCLES", "intel/perfmon: fewer than 16"),
    ("bdw_ep::L2_RQSTS:RFO_HIT", "intel/perfmon: 0xC224"),
    ("bdw_ep::L2_RQSTS:L2_PF_HIT", "intel/perfmon: 0xD024"),
    ("bdw_ep::L2_RQSTS:L2_PF_MISS", "intel/perfmon: 0x3024"),
    ("bdw_ep::UOPS_RETIRED:TOTAL_CYCLES", "intel/perfmon: fewer than 16"),
    ("skl::UOPS_RETIRED:STALL_CYCLES", "intel/perfmon: 0x02C2"),
    ("skl::UOPS_RETIRED:TOTAL_CYCLES", "intel/perfmon: 0x02C2, fewer than 16"),
    ("skx::UOPS_RETIRED:STALL_CYCLES", "intel/perfmon: 0x02C2"),
    ("skx::UOPS_RETIRED:TOTAL_CYCLES", "intel/perfmon: 0x02C2, fewer than 16"),
    ("clx::UOPS_RETIRED:STALL_CYCLES", "intel/perfmon: 0x02C2"),
    ("clx::UOPS_RETIRED:TOTAL_CYCLES", "intel/perfmon: 0x02C2, fewer than 16"),
    ("spr::ARITH:IDIV_ACTIVE", "intel/perfmon: cycles, with a threshold of 1"),
    ("spr::ARITH:INT_DIVIDER_ACTIVE", "intel/perfmon: cycles, with a threshold of 1"),
    ("atom::SNOOP_STALL_DRV:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_BURST:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_IO:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_RFO:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_MEM:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_PWR:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_INVAL:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_WB:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_DEF:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_ANY:SELF", "intel/perfmon: SELF is 0x40, this agent alone"),
    ("atom::BUS_TRANS_P:ALL_AGENTS", "intel/perfmon: ALL_AGENTS is 0xE0, of both cores"),
    ("atom::BUS_TRANS_BRD:ALL_AGENTS", "intel/perfmon: ALL_AGENTS is 0xE0, of both cores"),
    ("atom::BUS_LOCK_CLOCKS:ALL_AGENTS", "intel/perfmon: ALL_AGENTS is 0xE0, of both cores"),
    ("atom::BUS_REQUEST_OUTSTANDING:ALL_AGENTS", "intel/perfmon: ALL_AGENTS is 0xE0, of both cores"),
    ("atom::BUS_TRANS_IFETCH:ALL_AGENTS", "intel/perfmon: ALL_AGENTS is 0xE0, of both cores"),
    ("slm::INST_RETIRED:ANY", "intel/perfmon: fixed counter 0"),
    ("knl::INST_RETIRED:ANY", "intel/perfmon: fixed counter 0 alone, whose code is 0x0100"),
    ("knl::PAGE_WALKS:D_SIDE_WALKS", "intel/perfmon: edges without a threshold"),
    ("knl::PAGE_WALKS:I_SIDE_WALKS", "intel/perfmon: edges without a threshold"),
    ("knl::PAGE_WALKS:WALKS", "intel/perfmon: edges without a threshold"),
    ("knm::INST_RETIRED:ANY", "intel/perfmon: fixed counter 0 alone, whose code is 0x0100"),
    ("knm::PAGE_WALKS:D_SIDE_WALKS", "intel/perfmon: edges without a threshold"),
    ("knm::PAGE_WALKS:I_SIDE_WALKS", "intel/perfmon: edges without a threshold"),
    ("knm::PAGE_WALKS:WALKS", "intel/perfmon: edges without a threshold"),
    ("tmt::CPU_CLK_UNHALTED:CORE", "intel/perfmon: fixed counter 1"),
];

/// Returns why an event is not read here as it is typed or as libpfm prints it, or `None` if it has to be.
fn reason(unit: &Unit, text: &str, encoded: &Encoded) -> Option<&'static str> {
    let (select, high) = (encoded.words[0] & 0xFF, encoded.words[0] & 0xFFFF);
    let is_amd = unit.name.starts_with("amd64_");
    if unit.name == "amd64_fam11h_turion" && encoded.words[0] >> 32 != 0 {
        Some("the northbridge counts it, by bits that a core's selectors do not have")
    } else if unit.name == "amd64_fam16h" && [0x60, 0x61, 0x7D, 0x7E, 0x7F].contains(&select) {
        Some("the cores' common second level counts it")
    } else if !is_amd && [0x01CD, 0x100B].contains(&high) && encoded.text.contains("LATENCY") {
        Some("the debug store counts latencies of loads")
    } else if !is_amd && select == 0 && high > 0x300 {
        Some("it is a metric of PERF_METRICS")
    } else if *text == encoded.text && text.contains("FRONTEND_RETIRED") {
        Some("libpfm prints a threshold that is part of the name")
    } else if *text == encoded.text && !reads_its_own(encoded) {
        Some("libpfm prints what it does not read as the same event")
    } else if is_disagreed_on(&encoded.text) {
        Some("libpfm's number is wrong")
    } else {
        None
    }
}

/// Returns true if libpfm reads the full text of an event as the same event.
fn reads_its_own(encoded: &Encoded) -> bool {
    Library::get().encode(&encoded.text).is_some_and(|again| again.words == encoded.words)
}

/// Returns what a request's selector holds, and the register beside it.
fn words(request: &Request) -> Option<(u64, u64)> {
    let Event::Raw { code, auxiliary } = request.event else { return None };
    let modes = [(Modes::USER, 16), (Modes::KERNEL, 17)];
    let flags = [(Flag::Edge, 18), (Flag::AnyThread, 21), (Flag::Invert, 23)];
    let modes = modes.into_iter().filter(|(mode, _)| request.modes.covers(*mode)).map(|(_, bit)| 1 << bit);
    let flags = flags.into_iter().filter(|(flag, _)| request.flags.contains(*flag)).map(|(_, bit)| 1 << bit);
    Some((modes.chain(flags).fold(code | u64::from(request.threshold) << 24, |word, bit| word | bit), auxiliary))
}

/// What a person types, and what libpfm makes of it.
struct Typed {
    text: String,
    /// The same in full.
    full: Encoded,
}

/// Each event of each unit that both know, alone and with each of its unit masks.
static KNOWN: LazyLock<Vec<(Unit, Vec<Typed>)>> = LazyLock::new(|| {
    units::all()
        .into_iter()
        .map(|unit| {
            let all = typed_for(&unit);
            (unit, all)
        })
        .collect()
});

fn typed_for(unit: &Unit) -> Vec<Typed> {
    let library = Library::get();
    let texts = library.events_of(unit.name).into_iter().flat_map(|event| {
        let name = format!("{}::{}", unit.name, event.name);
        let masks: Vec<_> = event.masks.iter().map(|mask| format!("{name}:{mask}")).collect();
        iter::once(name).chain(masks)
    });
    texts.filter_map(|text| library.encode(&text).map(|full| Typed { text, full })).collect()
}

/// Returns libpfm's full texts, each once.
#[cfg(test)]
fn full_texts(all: &[Typed]) -> Vec<&Encoded> {
    let mut texts: Vec<_> = all.iter().map(|typed| &typed.full).collect();
    texts.sort_by(|one, other| one.text.cmp(&other.text));
    texts.dedup_by(|one, other| one.text == other.text);
    texts
}

/// Returns the texts with a unit mask, as they are typed. The default of an event that is typed alone is OProfile's here,
/// where OProfile has the event.
#[cfg(test)]
fn short_texts(all: &[Typed]) -> impl Iterator<Item = (&String, &[u64])> {
    let has_mask = |typed: &&Typed| typed.text.split("::").nth(1).is_some_and(|event| event.contains(':'));
    all.iter().filter(has_mask).map(|typed| (&typed.text, &*typed.full.words))
}

/// Returns every text that is typed, and what becomes of it here.
pub(crate) fn compared() -> Vec<Compared> {
    KNOWN.iter().flat_map(|(unit, all)| all.iter().map(|typed| compared_with(unit, typed))).collect()
}

fn compared_with(unit: &Unit, Typed { text, full }: &Typed) -> Compared {
    let theirs = (full.words[0] & !INT_AND_EN, full.words.get(1).copied().unwrap_or(0));
    let verdict = match parse(unit, text).as_ref().and_then(words) {
        None => Verdict::Refused(String::new()),
        Some(ours) if ours == theirs => Verdict::Agrees,
        Some(ours) => Verdict::Differs(format!("{ours:x?}, theirs {theirs:x?}")),
    };
    let name = text.split_once("::").map_or(&**text, |(_, name)| name);
    let is_alone = matches!(verdict, Verdict::Differs(_)) && !name.contains(':');
    let disagreement = DISAGREEMENTS.iter().find(|(known, _)| known == text).map(|(_, reason)| *reason);
    let reason =
        disagreement.or(reason(unit, text, full)).or(is_alone.then_some("its default unit mask is OProfile's"));
    Compared { processor: unit.name.to_owned(), name: name.to_owned(), verdict, reason: reason.map(str::to_owned) }
}

fn parse(unit: &Unit, text: &str) -> Option<Request> {
    let here = Processor::new(unit.description, unit.catalogue);
    Perfmon::parse::<1>(text, here).ok().map(|set: Set<1>| set.requests()[0])
}

#[test]
fn an_event_that_both_know_is_encoded_alike_or_is_a_known_disagreement() {
    let mut found = Vec::new();
    for (unit, all) in &*KNOWN {
        let full = full_texts(all).into_iter().filter(|encoded| reads_its_own(encoded));
        for (text, theirs) in full.map(|encoded| (&encoded.text, &*encoded.words)).chain(short_texts(all)) {
            let theirs = (theirs[0] & !INT_AND_EN, theirs.get(1).copied().unwrap_or(0));
            if let Some(ours) = parse(unit, text).as_ref().and_then(words)
                && ours != theirs
            {
                let (event, _) = text.split_once(":k=").unwrap_or((text, ""));
                found.push((
                    event.to_owned(),
                    format!("{:#x} {:#x}, theirs {:#x} {:#x}", ours.0, ours.1, theirs.0, theirs.1),
                ));
            }
        }
    }
    let unknown: Vec<_> =
        found.iter().filter(|(event, _)| DISAGREEMENTS.iter().all(|(known, _)| known != event)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    let stale: Vec<_> =
        DISAGREEMENTS.iter().filter(|(known, _)| found.iter().all(|(event, _)| event != known)).collect();
    assert!(stale.is_empty(), "both agree by now: {stale:#?}");
}

/// Returns true if a text names an event that both encode in different ways.
fn is_disagreed_on(text: &str) -> bool {
    let event = text.split(":k").next().unwrap_or(text).replace('.', ":");
    DISAGREEMENTS.iter().any(|(known, _)| known.starts_with(&event))
}

/// Events whose name here libpfm does not have, at most: intel/perfmon names some with their threshold, and libpfm names
/// them without. On K8 it has some for one revision alone.
#[cfg(test)]
const UNREAD: usize = 241;

/// Of combinations of three words each such is tried.
#[cfg(test)]
const SAMPLED: usize = 11;

/// Each two, and some three, of the words that an event with a value in an auxiliary register has.
#[cfg(test)]
fn combinations(name: &str, words: &[String]) -> Vec<String> {
    let mut texts = Vec::new();
    for (number, one) in words.iter().enumerate() {
        for (further, other) in words[..number].iter().enumerate() {
            texts.push(format!("{name}:{one}:{other}"));
            let thirds = words[..further].iter().skip((number + further) % SAMPLED).step_by(SAMPLED);
            texts.extend(thirds.map(|third| format!("{name}:{one}:{other}:{third}")));
        }
    }
    texts
}

#[test]
fn words_of_off_core_responses_are_combined_as_libpfm_does() {
    let library = Library::get();
    let mut compared = 0;
    for (unit, _) in &*KNOWN {
        let events =
            library.events_of(unit.name).into_iter().filter(|event| event.name.starts_with("OFFCORE_RESPONSE_"));
        for event in events.filter(|event| library.encode(&format!("{}::{}", unit.name, event.name)).is_some()) {
            for text in combinations(&format!("{}::{}", unit.name, event.name), &event.masks) {
                let Some(theirs) = library.encode(&text) else { continue };
                let theirs = Some((theirs.words[0] & !INT_AND_EN, theirs.words[1]));
                let ours = parse(unit, &text).as_ref().and_then(words);
                assert_eq!(ours, theirs, "{text}");
                compared += 1;
            }
        }
    }
    println!("{compared} combinations are encoded alike");
    assert!(compared > 30_000, "{compared}");
}

#[test]
fn libpfm_reads_what_is_printed_here_as_the_same_event() {
    let (mut wrong, mut unread, mut read) = (Vec::new(), Vec::new(), 0);
    for (unit, all) in &*KNOWN {
        let here = Processor::new(unit.description, unit.catalogue);
        for Encoded { text, .. } in full_texts(all) {
            let Some(Encoded { words: theirs, .. }) = Library::get().encode(text) else { continue };
            let Some(request) = parse(unit, text) else { continue };
            let Ok(printed) = Perfmon::of(&[request], here).map(|text| text.to_string()) else { continue };
            match Library::get().encode(&printed) {
                Some(again) if again.words == theirs => read += 1,
                _ if is_disagreed_on(text) || is_disagreed_on(&printed) => {}
                Some(other) => wrong.push((text, printed, other.words)),
                None => unread.push(printed),
            }
        }
    }
    println!("{read} texts are read by libpfm, and {} are not", unread.len());
    assert!(wrong.is_empty(), "{wrong:#x?}");
    assert!(unread.len() <= UNREAD && read > 20 * UNREAD, "{} of {read}: {unread:#?}", unread.len());
}

#[test]
fn the_guide_lists_every_disagreement() {
    let guide = include_str!("../../docs/tables.md");
    let is_listed = |unit: &str, event: &str| {
        guide.lines().filter(|row| row.starts_with("| libpfm |") || row.contains("Bonnell")).any(|row| {
            let name = event.rsplit(':').next().unwrap_or(event);
            row.contains(name) && (row.contains("Bonnell") || row.contains(event) && row.contains(unit))
        })
    };
    let split = DISAGREEMENTS.iter().filter_map(|(event, _)| event.split_once("::"));
    let missing: Vec<_> = split.filter(|(unit, event)| !is_listed(unit, event)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_event_of_libpfms_is_read_as_it_is_typed_and_as_it_is_printed_or_has_a_reason() {
    let (mut unread, mut read, mut typed) = (Vec::new(), 0, 0);
    for (unit, all) in &*KNOWN {
        let is_read = |text: &str| parse(unit, text).is_some();
        let of_unit = all.iter().filter(|typed| is_read(&typed.text)).count();
        println!("{}: {of_unit} of {} texts are read", unit.name, all.len());
        (read, typed) = (read + of_unit, typed + all.len());
        for Typed { text, full } in all {
            let forms = [text, &full.text].into_iter();
            unread.extend(forms.filter(|text| !is_read(text) && reason(unit, text, full).is_none()));
        }
    }
    println!("{read} of {typed} texts are read");
    assert!(unread.is_empty(), "{unread:#?}");
}
