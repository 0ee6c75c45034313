//! The P6 family's tables, each by a processor that has it.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::p6::{Device, Identity, P6};
use pmu::driver::{Plan, Slot, Steps, counters_for};
use pmu::request::Flag;
use pmu::stats::Level;
use pmu::text::notation::Options;
use pmu::text::{notation::Cpc, notation::Error, notation::Oprofile, notation::Perfmon, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterId, CounterSet, Event, Modes, Request, Set};

pub(crate) fn driver(identity: &Identity) -> P6<Device<Unconnected>, Unattached> {
    P6::new(Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities())
}

/// Asks a reader for what it makes of a text on this processor.
fn on<T>(identity: &Identity, read: impl FnOnce(Processor) -> T) -> T {
    let driver = driver(identity);
    read(Processor::of(&driver))
}

fn requests(text: &str, read: Result<Set<4>, Error>) -> Vec<Request> {
    read.unwrap_or_else(|error| panic!("{}", error.in_text(text))).requests().to_vec()
}

fn by_libpfm(identity: &Identity, text: &str) -> Vec<Request> {
    requests(text, on(identity, |here| Perfmon::parse(text, here)))
}

fn by_cputrack(identity: &Identity, text: &str) -> Vec<Request> {
    requests(text, on(identity, |here| Cpc::parse(text, here)))
}

fn code(identity: &Identity, text: &str) -> Event {
    by_libpfm(identity, text)[0].event
}

#[test]
fn the_p6_familys_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::catalogues::check(&driver(identity));
    }
}

#[test]
fn each_model_has_its_own_table() {
    let catalogues = Identity::ALL.map(|identity| identity.capabilities().catalogue());
    let units = catalogues.map(|catalogue| (catalogue.unit, catalogue.aliases));
    let wanted: [(&str, &[&str]); 4] =
        [("i386/ppro", &["ppro"]), ("i386/pii", &["pii"]), ("i386/piii", &["p6"]), ("i386/p6_mobile", &["pm"])];
    assert_eq!(units, wanted);
    let has = |name| catalogues.map(|catalogue| catalogue.named(name).is_some());
    assert_eq!(has("INST_RETIRED"), [true; 4]);
    assert_eq!(has("MMX_UOPS_EXEC"), [false, true, true, true]);
    assert_eq!(has("MMX_INSTR_EXEC"), [false, true, false, false]);
    assert_eq!(has("EMON_KNI_INST_RETIRED"), [false, false, true, false]);
    assert_eq!(has("EMON_SSE_SSE2_INST_RETIRED"), [false, false, false, true]);
}

/// SDM vol. 3, table "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters", and
/// torvalds/linux arch/x86/events/intel/p6.c, `p6_event_constraints`.
#[test]
fn six_events_of_the_floating_point_unit_have_one_counter_by_name_and_by_code() {
    let driver = driver(&Identity::PENTIUM_II);
    let counters = |name| {
        let request = driver.catalogue().request(driver.catalogue().named(name).expect("it is listed"));
        (counters_for(&driver, &request).bits(), request.event)
    };
    let first = [("FLOPS", 0xC1), ("FP_COMP_OPS_EXE", 0x10), ("CYCLES_DIV_BUSY", 0x14)];
    let second = [("FP_ASSIST", 0x11), ("MUL", 0x12), ("DIV", 0x13)];
    assert_eq!(first.map(|(name, _)| counters(name)), first.map(|(_, code)| (0b01, Event::raw(code))));
    assert_eq!(second.map(|(name, _)| counters(name)), second.map(|(_, code)| (0b10, Event::raw(code))));
    assert_eq!(counters_for(&driver, &Event::raw(0x12).into()), CounterSet::from_bits(0b10));
}

#[test]
fn an_event_has_the_names_that_libpfm_oprofile_and_solaris_give_it() {
    let same = |names: [&str; 2]| names.map(|name| code(&Identity::PENTIUM_III, name));
    assert_eq!(same(["BUS_DATA_RCV", "BUS_DATA_RECV"]), [Event::raw(0x64); 2]);
    assert_eq!(same(["BUS_TRAN_BRD:self", "BUS_TRANS_BRD:SELF"]), [Event::raw(0x65); 2]);
    assert_eq!(same(["BUS_TRAN_RFO:any", "BUS_TRANS_RFO:ANY"]), [Event::raw(0x2066); 2]);
    assert_eq!(same(["BUS_TRAN_DEF", "BUS_TRANS_DEF"]), [Event::raw(0x206D); 2]);
    assert_eq!(same(["FLOPS", "COMP_FLOP_RET"]), [Event::raw(0xC1); 2]);
    assert_eq!(same(["INST_DECODED", "inst_decoder"]), [Event::raw(0xD0); 2]);
    assert_eq!(same(["MMX_ASSIST", "mmx_assists"]), [Event::raw(0xCD); 2]);
    assert_eq!(code(&Identity::PENTIUM_M, "L2_M_LINES_OUT:M"), Event::raw(0x0827));
}

#[test]
fn libpfms_users_find_their_units_events_and_states() {
    assert_eq!(code(&Identity::PENTIUM_III, "p6::inst_retired"), Event::raw(0xC0));
    assert_eq!(code(&Identity::PENTIUM_PRO, "ppro::L2_IFETCH:M"), Event::raw(0x0828));
    assert_eq!(code(&Identity::PENTIUM_II, "pii::L2_RQSTS:I:S"), Event::raw(0x032E));
    assert_eq!(code(&Identity::PENTIUM_M, "pm::L2_LD:M:ONLY_HW_PREFETCH"), Event::raw(0x1829));
    let flagged = by_libpfm(&Identity::PENTIUM_III, "L2_ST:E:e=1:u");
    assert_eq!(flagged, [Request::new(Event::raw(0x042A)).flag(Flag::Edge).modes(Modes::USER)]);
}

/// libpfm adds up any masks of these events; the SDM's table has one number for each.
#[test]
fn an_event_that_takes_one_unit_mask_says_so_of_a_second() {
    for text in ["EMON_FUSED_UOPS_RET:LD_OP:STD_STA", "EMON_EST_TRANS:ALL:FREQ"] {
        let read = on(&Identity::PENTIUM_M, |here| Perfmon::parse::<1>(text, here)).unwrap_err();
        let second = text.rsplit(':').next().unwrap();
        let told = read.in_text(text).to_string();
        assert!(
            told.starts_with(&format!("'{second}'")) && told.contains("takes one unit mask, and has one already"),
            "{told}"
        );
    }
}

#[test]
fn oprofiles_users_find_their_events_with_their_defaults_and_least_counts() {
    let read = |text: &str| requests(text, on(&Identity::PENTIUM_III, |here| Oprofile::parse(text, here)));
    assert_eq!(read("CPU_CLK_UNHALTED:6000"), [Request::new(Event::raw(0x79)).every(6000)]);
    assert_eq!(read("L2_RQSTS:500"), [Request::new(Event::raw(0x0F2E)).every(500)]);
    assert_eq!(read("BUS_TRAN_ANY:500:0x00:0:1"), [Request::new(Event::raw(0x70)).every(500).modes(Modes::USER)]);
    assert!(on(&Identity::PENTIUM_III, |here| Oprofile::parse::<1>("INST_RETIRED:5999", here)).is_err());
}

/// libcpc sets E unless `noedge` is given (illumos-gate, p123_pcbe.c, `ptm_pcbe_configure`).
#[test]
fn cputracks_users_count_edges_unless_they_say_noedge() {
    let of = |code, counter: CounterId| Request::new(Event::raw(code)).modes(Modes::USER).pinned_to(counter);
    let (first, second) = (CounterId::ZERO, CounterId::new(1).unwrap());
    let edges = by_cputrack(&Identity::PENTIUM_III, "pic0=cpu_clk_unhalted,pic1=inst_retired,noedge1");
    assert_eq!(edges, [of(0x79, first).flag(Flag::Edge), of(0xC0, second)]);
    let all = by_cputrack(&Identity::PENTIUM_PRO, "pic0=0x79,pic1=l2_ld,umask1=0x8,cmask1=2,inv1,pc0,int,noedge,sys0");
    let masked = of(0x0829, second).threshold(2).flag(Flag::Invert);
    assert_eq!(all, [of(0x79, first).flag(Flag::PinControl).modes(Modes::ALL), masked]);
    let generic = by_cputrack(&Identity::PENTIUM_II, "pic0=PAPI_tot_cyc");
    assert_eq!(generic[0].flags, Request::new(Event::CYCLES).flags, "a generic event takes no attribute");
}

#[test]
fn what_cputrack_is_printed_is_read_as_the_same_with_edges_and_without() {
    let plain = Request::new(Event::raw(0xC0)).modes(Modes::USER).pinned_to(CounterId::ZERO);
    let generic = Request::new(Event::CYCLES).modes(Modes::USER).pinned_to(CounterId::ZERO);
    let texts = [(plain, "pic0=INST_RETIRED,noedge0"), (plain.flag(Flag::Edge), "pic0=INST_RETIRED")];
    for (request, text) in texts.into_iter().chain([(generic, "pic0=papi_tot_cyc")]) {
        let printed = on(&Identity::PENTIUM_M, |here| Cpc::of(&[request], here).unwrap().to_string());
        assert_eq!((printed.as_str(), by_cputrack(&Identity::PENTIUM_M, text)), (text, vec![request]));
    }
}

/// Heller's own example, on a Pentium III: instructions and micro-operations retired, by the numbers of their events.
#[test]
fn hellers_own_example_is_read_and_placed() {
    let text = "--e 192,194 -Stats 2 -trim 1";
    let options: Options<2, 1> = on(&Identity::PENTIUM_III, |here| Options::parse(text, here).unwrap());
    let [given] = options.sets() else { panic!("there is one set") };
    assert_eq!(given.set.requests(), [0xC0, 0xC2].map(|code| Request::new(Event::raw(code))));
    assert_eq!((options.level, options.trim), (Level::Ratios, 1));
    let driver = driver(&Identity::PENTIUM_III);
    let names = [0xC0, 0xC2].map(|code| driver.catalogue().of_code(code).map(|(named, _)| named.name));
    assert_eq!(names, [Some("INST_RETIRED".into()), Some("UOPS_RETIRED".into())]);
    let demands = [0, 1].map(|number| driver.encode(&given.set.requests()[number]).unwrap());
    let mut slots = [Slot::EMPTY; 2];
    driver.place(&CounterSet::EMPTY, &demands, Steps::OPEN, &mut slots).unwrap();
    assert_ne!(slots[0].counter, slots[1].counter);
}

/// SDM vol. 3, table "Performance Monitoring Events Modified on Intel Pentium M Processors": 24H, 26H, 27H and 29H have bits
/// for prefetches. OProfile's mask of states has them for 28H, 2AH and 2EH too.
#[test]
fn prefetches_are_told_apart_where_the_pentium_ms_manual_has_them_and_refused_elsewhere() {
    let read =
        |text: &str| on(&Identity::PENTIUM_M, |here| Oprofile::parse::<1>(text, here).map(|set| set.requests()[0]));
    for (event, select) in [("L2_LINES_IN", 0x24), ("L2_LINES_OUT", 0x26), ("L2_M_LINES_OUTM", 0x27), ("L2_LD", 0x29)] {
        let read = read(&format!("{event}:500:0x1f")).map(|request| request.event);
        assert_eq!(read, Ok(Event::raw(0x1F00 | select)), "{event}");
    }
    for event in ["L2_IFETCH", "L2_ST", "L2_RQSTS"] {
        assert!(read(&format!("{event}:500:0xf")).is_ok(), "{event}");
        assert!(read(&format!("{event}:500:0x1f")).is_err(), "{event}");
    }
}

/// The events of libpfm4's units ppro, pii, p6 and pm with each of their unit masks, as lib/events/intel_ppro_events.h,
/// intel_pii_events.h, intel_p6_events.h and intel_pm_events.h have them (MIT): name, code, a bit for each counter, units.
/// libpfm has these units only where it is built for i386. Such a library was asked once for all of these texts (git,
/// version 4.13), and encodes them as here.
const OF_LIBPFM: &str = include_str!("p6_of_libpfm.txt");

/// Events that libpfm encodes in another way. The SDM's table has the unit mask 0FH, and so has OProfile.
const DISAGREEMENTS: [(&str, u64); 1] = [("MMX_UOPS_EXEC", 0x0FB2)];

#[test]
fn every_event_of_libpfms_is_encoded_as_there_or_is_a_known_disagreement() {
    let units = Identity::ALL.map(|identity| (identity.capabilities().catalogue().aliases[0], identity));
    let mut texts = 0;
    for row in OF_LIBPFM.lines() {
        let [name, code, counters, of] = row.split(' ').collect::<Vec<_>>().try_into().expect("a row has four columns");
        let code = u64::from_str_radix(code.trim_start_matches("0x"), 16).unwrap();
        let known = DISAGREEMENTS.iter().find(|(known, _)| *known == name).map_or(code, |(_, ours)| *ours);
        for (unit, identity) in units.iter().filter(|(unit, _)| of.split(',').any(|one| one == *unit)) {
            let [request] = by_libpfm(identity, &format!("{unit}::{name}")).try_into().expect("it is one event");
            assert_eq!(request.event, Event::raw(known), "{unit}::{name}");
            let able = counters_for(&driver(identity), &request).bits();
            assert_eq!(able, counters.parse::<u64>().unwrap(), "{unit}::{name}");
            texts += 1;
        }
    }
    assert_eq!(texts, 512);
}
