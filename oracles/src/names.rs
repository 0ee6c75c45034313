//! How many names of each outside list are known here, and mean the same.
//!
//! A reader for each format gives rows: a processor by the list's name, what a person types, and what the list says that
//! it counts. [`Verdict::of`] compares a row with what our notation reads. `reasons.txt` has the reason for each name that is
//! refused or differs; `docs/names.md` has the counts.

mod called;
mod freebsd;
mod illumos;
mod likwid;
mod oprofile;
mod perf;
#[allow(dead_code, reason = "nothing is asked here but a processor's names")]
#[path = "../../examples/host/processors.rs"]
mod processors;
mod reasons;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use pmu::driver::{Driver, Field, Recorder, Registers};
use pmu::request::Flags;
use pmu::text::catalogue::NamedEvent;
use pmu::text::notation::{Error, Perfmon, Problem, Processor};
use pmu::{CounterSet, Event, Request, Set};

use self::processors::Known;
use self::reasons::Reasons;

/// The lists that are compared in every run of the tests: those of Debian's packages.
pub(crate) const LIBPFM: &str = "libpfm";
pub(crate) const PAPI: &str = "papi";
const PERF: &str = "perf";
/// The lists that a user has: with what reads them.
const FOLDERS: [(&str, Reader); 6] = [
    (PERF, perf::rows),
    ("perfmon", perf::rows),
    ("oprofile", oprofile::rows),
    ("likwid", likwid::rows),
    ("freebsd", freebsd::rows),
    ("illumos", illumos::rows),
];

type Reader = fn(&Path) -> Result<Vec<Row>>;
type Parse = fn(&str, Processor) -> Result<Set<1>, Error>;
/// Registers of which nothing is recorded.
type Recorded<R> = &'static Recorder<R, 1>;

/// Answers no question: the example `events` does.
fn about<R, D>(_: impl Fn() -> D, _: &dyn Fn(R::Address) -> &'static [Field], _: Option<&str>) -> (String, bool)
where
    R: Registers + 'static,
    D: Driver<Registers = Recorded<R>>,
{
    (String::new(), false)
}

/// A name of an outside list, and what the list says of it.
pub(crate) struct Row {
    /// The processor, by the list's name.
    processor: String,
    name: String,
    /// What is typed here for it.
    text: String,
    parse: Parse,
    /// The codes any of which it has; none if the list's numbers are not the unit's.
    codes: Vec<u64>,
    /// The bits of a code that the list has.
    bits: u64,
    auxiliary: u64,
    threshold: u8,
    flags: Flags,
    /// The counters that have it, if the list says so.
    counters: Option<CounterSet>,
}

impl Row {
    /// Takes over what the list says of the same name in another place, such as another counter. Returns true if it is the same.
    fn is_also(&mut self, again: &Self) -> bool {
        let is_same = (&self.processor, &self.name) == (&again.processor, &again.name);
        if is_same {
            self.codes.extend(&again.codes);
            self.counters = self.counters.zip(again.counters).map(|(one, other)| one.or(other));
        }
        is_same
    }
}

/// What becomes of a name here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Agrees,
    /// It is read as something else: what, and what the list has.
    Differs(String),
    /// Why.
    Refused(String),
    /// It is refused, and what the list says that it counts is typed here so.
    Otherwise(String),
    /// It is refused, and no name here has the number that the list says.
    Unlisted(String),
}

/// The counters that are general; the fixed ones are above.
const GENERAL: CounterSet = CounterSet::first(32);

impl Verdict {
    /// `all` are the counters that the list has for some event of the processor: an event with all of these is on any.
    fn of(row: &Row, all: CounterSet, ours: &Known) -> Self {
        let set = match (row.parse)(&row.text, ours.processor) {
            Ok(set) => set,
            Err(error) => return refused(row, &error, ours),
        };
        let request = &set.requests()[0];
        let (event, counters) = (ours.counted)(request);
        let Event::Raw { code, auxiliary } = event else { return Self::Refused(format!("{event} has no code")) };
        if counters.is_empty() {
            return Self::Refused("no counter has it".to_owned());
        }
        let mut wrong = Vec::new();
        let mut compare = |ours: String, theirs: String| {
            if ours != theirs {
                wrong.push(format!("{ours}, theirs {theirs}"))
            }
        };
        if let Some(first) = row.codes.first() {
            let theirs = row.codes.iter().find(|theirs| **theirs == code & row.bits).map_or(*first, |_| code);
            compare(format!("code {code:#x}"), format!("code {theirs:#x}"));
            compare(format!("beside {auxiliary:#x}"), format!("beside {:#x}", row.auxiliary));
        }
        compare(format!("threshold {}", request.threshold), format!("threshold {}", row.threshold));
        compare(format!("{:?}", request.flags), format!("{:?}", row.flags));
        if let Some(theirs) = row.counters.filter(|theirs| !is_on(counters, *theirs, all)) {
            compare(format!("on {counters:?}"), format!("on {theirs:?}"));
        }
        if wrong.is_empty() { Self::Agrees } else { Self::Differs(wrong.join("; ")) }
    }
}

/// Returns what becomes of a name that is not read: another name may have what the list says that it counts.
fn refused(row: &Row, error: &Error, ours: &Known) -> Verdict {
    let is_whole = row.bits == u64::MAX || ours.processor.catalogue.mask.largest != 0;
    let is_unknown = matches!(error.problem, Problem::UnknownEvent | Problem::UnknownAttribute);
    let Some(code) = row.codes.first().filter(|_| is_whole && is_unknown) else {
        return Verdict::Refused(format!("{:?}", error.problem));
    };
    let mut request = Request::new(Event::raw_with(*code, row.auxiliary)).threshold(row.threshold);
    request.flags = row.flags;
    let text = Perfmon::of(&[request], ours.processor).map(|text| text.to_string());
    match text.as_deref().unwrap_or_default().split_once("::") {
        Some((_, event)) if !event.starts_with("0x") => return Verdict::Otherwise(event.to_owned()),
        _ => {}
    }
    // What some counters have alone is printed as a code where the request is not kept to them.
    let catalogue = ours.processor.catalogue;
    let is_same = |named: &NamedEvent| {
        let named = catalogue.request(*named);
        (named.event, named.threshold, named.flags) == (request.event, request.threshold, request.flags)
    };
    let named = catalogue.events.into_iter().chain(catalogue.libpfm).find(is_same);
    named.map_or(Verdict::Unlisted(format!("{code:#x}")), |named| Verdict::Otherwise(named.name.to_string()))
}

/// Returns true if `theirs` has each of these counters. Where a list names general counters, a fixed one that counts the same
/// is not named, and lists number the fixed ones from 0 or from 1.
fn is_on(ours: CounterSet, theirs: CounterSet, all: CounterSet) -> bool {
    match theirs.and(GENERAL) {
        CounterSet::EMPTY => ours.and(GENERAL).is_empty(),
        theirs => theirs == all.and(GENERAL) || theirs.covers(ours.and(GENERAL)),
    }
}

/// A name that was compared.
pub(crate) struct Compared {
    pub(crate) processor: String,
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    /// Why it does not agree.
    pub(crate) reason: Option<String>,
}

/// Compares the names of a list.
fn compare(list: &str, mut rows: Vec<Row>, all: &[Known], reasons: &mut Reasons) -> Vec<Compared> {
    rows.sort_by(|one, other| (&one.processor, &one.name).cmp(&(&other.processor, &other.name)));
    rows.dedup_by(|again, first| first.is_also(again));
    let mut processors: BTreeMap<String, (Option<usize>, CounterSet)> = BTreeMap::new();
    for row in &rows {
        let one = processors.entry(row.processor.clone());
        let (_, counters) = one.or_insert_with(|| (called::processor(all, &row.processor), CounterSet::EMPTY));
        *counters = counters.or(row.counters.unwrap_or(CounterSet::EMPTY));
    }
    let compared = rows.into_iter().map(|row| {
        let (at, counters) = processors[&row.processor];
        let verdict =
            at.map_or_else(|| Verdict::Refused("the processor".to_owned()), |at| Verdict::of(&row, counters, &all[at]));
        let reason = reasons.find(list, &row.processor, &row.name, &verdict);
        Compared { processor: row.processor, name: row.name, verdict, reason }
    });
    compared.collect()
}

/// Compares these lists, `LIST=FOLDER`, or those of the packages, and prints the table. With `--write` the guide gets it.
///
/// # Errors
/// A list cannot be read. Exit code 1 if a name is refused or differs without a reason, if a reason has no name any more, or
/// if the guide has another table.
pub(crate) fn run(words: &[String]) -> Result<ExitCode> {
    let writes = words.iter().any(|word| word == "--write");
    let mut folders = Vec::new();
    for word in words.iter().filter(|word| *word != "--write") {
        let given = word.split_once('=').and_then(|(list, folder)| {
            let (list, reader) = FOLDERS.iter().find(|(known, _)| *known == list)?;
            Some((*list, *reader, PathBuf::from(folder)))
        });
        match given {
            Some(given) => folders.push(given),
            None => bail!("{word} is not --write, nor LIST=FOLDER with one of {:?}", FOLDERS.map(|(list, _)| list)),
        }
    }
    let all = processors::all();
    let mut reasons = Reasons::read()?;
    let mut lists = vec![(LIBPFM, crate::agreement::compared()), (PAPI, crate::papi::compared())];
    for (list, reader, folder) in folders {
        lists.push((list, compare(list, reader(&folder)?, &all, &mut reasons)));
    }
    let names: Vec<_> = lists.iter().map(|(list, _)| *list).collect();
    let complaints = [table::show(&lists), reasons.stale(&names), table::settle(&lists, writes)?];
    complaints.iter().for_each(|text| print!("{text}"));
    Ok(if complaints[1..].iter().all(String::is_empty) && table::is_good(&lists) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The verdicts on a list of one file.
    fn verdicts(reader: Reader, files: &[(&str, &str)]) -> Vec<Verdict> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut reasons = Reasons::read().unwrap();
        let compared = compare("one", reader(folder.path()).unwrap(), &processors::all(), &mut reasons);
        compared.into_iter().map(|name| name.verdict).collect()
    }

    fn differs(ours: &str, theirs: &str) -> Verdict {
        Verdict::Differs(format!("{ours}, theirs {theirs}"))
    }

    const CYCLES: &str = r#"{ "EventName": "CPU_CLK_UNHALTED.THREAD_P", "EventCode": "0x3c", "Counter": "0,1,2,3" }"#;
    const REPLACED: &str =
        r#"{ "EventName": "L1D.REPLACEMENT", "EventCode": "0x51", "UMask": "0x1", "Counter": "0,1,2,3" }"#;
    const PENDING: &str = r#"{ "EventName": "L1D_PEND_MISS.PENDING_CYCLES", "EventCode": "0x48", "UMask": "0x1",
        "CounterMask": "1", "Counter": "0,1,2,3" }"#;

    fn of_perf(row: &str) -> Verdict {
        let text = format!("[{CYCLES}, {row}]");
        verdicts(perf::rows, &[("x86/skylake/cache.json", &text)]).remove(1)
    }

    #[test]
    fn a_fault_in_a_row_of_perfs_is_found() {
        assert_eq!((of_perf(REPLACED), of_perf(PENDING)), (Verdict::Agrees, Verdict::Agrees));
        assert_eq!(of_perf(&REPLACED.replace("0x51", "0x52")), differs("code 0x151", "code 0x152"));
        assert_eq!(of_perf(&REPLACED.replace("0x1", "0x2")), differs("code 0x151", "code 0x251"));
        assert_eq!(of_perf(&PENDING.replace("\"1\"", "\"2\"")), differs("threshold 1", "threshold 2"));
        let narrow = of_perf(&REPLACED.replace("0,1,2,3", "2"));
        assert!(matches!(&narrow, Verdict::Differs(what) if what.ends_with("theirs on {2}")), "{narrow:?}");
        assert_eq!(of_perf(&REPLACED.replace("L1D.", "L1E.")), Verdict::Otherwise("L1D:k:u".to_owned()));
    }

    #[test]
    fn an_event_that_several_processors_have_is_looked_up() {
        let common = ("arm64/common.json", r#"[{ "EventName": "CPU_CYCLES", "EventCode": "0x11" }]"#);
        let core = ("arm64/arm/cortex-a53/other.json", r#"[{ "ArchStdEvent": "CPU_CYCLES" }]"#);
        assert_eq!(verdicts(perf::rows, &[common, core]), [Verdict::Agrees]);
        let wrong = (common.0, r#"[{ "EventName": "CPU_CYCLES", "EventCode": "0x12" }]"#);
        assert_eq!(verdicts(perf::rows, &[wrong, core]), [differs("code 0x11", "code 0x12")]);
    }

    const DIVISIONS: &str = "event:0x13 counters:1 um:zero minimum:1000 name:DIV : divisions\n";

    fn of_oprofile(event: &str) -> Verdict {
        let masks = "name:zero type:mandatory default:0x0\n\t0x0 none\n";
        let events = format!("event:0x3c counters:0,1 um:zero minimum:6000 name:CPU_CLK_UNHALTED : cycles\n{event}");
        verdicts(oprofile::rows, &[("i386/core_2/events", &events), ("i386/core_2/unit_masks", masks)]).remove(1)
    }

    #[test]
    fn a_fault_in_a_row_of_oprofiles_is_found() {
        assert_eq!(of_oprofile(DIVISIONS), Verdict::Agrees);
        assert_eq!(of_oprofile(&DIVISIONS.replace("0x13", "0x14")), differs("code 0x13", "code 0x14"));
        assert_eq!(of_oprofile(&DIVISIONS.replace("counters:1", "counters:0")), differs("on {1}", "on {0}"));
        assert_eq!(of_oprofile(&DIVISIONS.replace("DIV", "DIVE")), Verdict::Otherwise("DIV".to_owned()));
    }

    const LIKWID: &str = "EVENT_L1D 0x51 PMC\nUMASK_L1D_REPLACEMENT 0x01\n\nEVENT_IDQ 0x79 PMC\n\
        DEFAULT_OPTIONS_IDQ_MITE_CYCLES EVENT_OPTION_THRESHOLD=0x1\nUMASK_IDQ_MITE_CYCLES 0x04\n";

    /// The verdicts on two names of LIKWID's.
    fn of_likwid(text: &str) -> Vec<Verdict> {
        verdicts(likwid::rows, &[("perfmon_skylake_events.txt", text)])
    }

    #[test]
    fn a_fault_in_a_row_of_likwids_is_found() {
        let changed = |from, to| of_likwid(&LIKWID.replace(from, to));
        assert_eq!(of_likwid(LIKWID), [Verdict::Agrees, Verdict::Agrees]);
        assert_eq!(changed("0x51", "0x52")[1], differs("code 0x151", "code 0x152"));
        assert_eq!(changed("REPLACEMENT 0x01", "REPLACEMENT 0x02")[1], differs("code 0x151", "code 0x251"));
        assert_eq!(changed("THRESHOLD=0x1", "THRESHOLD=0x2")[0], differs("threshold 1", "threshold 2"));
        assert_eq!(changed("CYCLES 0x04", "CYCLES 0x04 0x80 0x01")[0], differs("{}", "{Invert}"));
        let narrow = &changed("0x51 PMC", "0x51 PMC2")[1];
        assert!(matches!(narrow, Verdict::Differs(what) if what.ends_with("theirs on {2}")), "{narrow:?}");
        assert_eq!(changed("0x51 PMC", "0x51 CBOX0C0").len(), 1, "another unit's");
    }

    /// Refused names say how else the event is typed, or that nobody here has the number.
    #[test]
    fn a_refused_name_is_looked_up_by_its_number() {
        let otherwise = |name: &str| Verdict::Otherwise(name.to_owned());
        let two = of_likwid(&LIKWID.replace("L1D_REPLACEMENT", "L1D_NEW").replace("MITE_CYCLES", "NO_SUCH"));
        assert_eq!(two, [otherwise("IDQ.MITE_UOPS_CYCLES:k:u"), otherwise("L1D:k:u")]);
        let nobodys = of_likwid(&LIKWID.replace("L1D_REPLACEMENT 0x01", "L1D_NEW 0x40"));
        assert_eq!(nobodys[1], Verdict::Unlisted("0x4051".to_owned()));
    }

    const ALIASES: &str = "#define\t__PMC_EV_ALIAS_SKYLAKE()\t\\\n__PMC_EV_ALIAS(\"L1D.REPLACEMENT\", IAP_EVENT_51H_01H)\n\
        __PMC_EV(K8, DC_MISS)\n";

    #[test]
    fn a_fault_in_a_row_of_freebsds_is_found() {
        let of = |aliases: &str, code| {
            let amd = format!("{{ PMC_EV_K8_DC_MISS, {code}, 0x00 }},");
            verdicts(freebsd::rows, &[("sys/dev/hwpmc/pmc_events.h", aliases), ("sys/dev/hwpmc/hwpmc_amd.c", &amd)])
        };
        assert_eq!(of(ALIASES, "0x41"), [Verdict::Agrees, Verdict::Agrees]);
        assert_eq!(of(ALIASES, "0x42")[0], differs("code 0x41", "code 0x42"));
        assert_eq!(of(&ALIASES.replace("51H", "52H"), "0x41")[1], differs("code 0x151", "code 0x152"));
        assert_eq!(of(&ALIASES.replace("_01H", "_02H"), "0x41")[1], differs("code 0x151", "code 0x251"));
    }

    const ZEN: &str = r#"[{ "name": "LsDispatch", "code": "0x029", "units": [{ "name": "LdDispatch", "bit": 0 }] }]"#;

    /// The verdicts on a name of Zen 2's, one of Opteron's and one of UltraSPARC III's second counter.
    fn of_illumos(zen: &str, opteron: &str, ultrasparc: &str) -> Vec<Verdict> {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for (file, table, ..) in illumos::TABLES {
            let entries = match table {
                "family_f_events" => "\tSHARED,\n",
                "US3_names1" => ultrasparc,
                _ => "",
            };
            let text = files.entry(format!("usr/src/uts/{file}")).or_default();
            *text += &format!("static {table}[] = {{\n{entries}\n}};\n");
        }
        *files.entry("usr/src/uts/intel/pcbe/opteron_pcbe.c".to_owned()).or_default() +=
            &format!("#define\tSHARED \\\n\t{opteron}, \\\n\t/* {{ \"NO\", 0 }} */\n\n");
        files.insert("usr/src/data/amdpmc/f17h_zen2_core.json".to_owned(), zen.to_owned());
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        verdicts(illumos::rows, &files)
    }

    #[test]
    fn a_fault_in_a_row_of_illumos_is_found() {
        let (opteron, ultrasparc) = ("{ \"DC_miss\", 0x41 }", "{0x9, \"DC_rd_miss\"},");
        assert_eq!(of_illumos(ZEN, opteron, ultrasparc), [Verdict::Agrees, Verdict::Agrees, Verdict::Agrees]);
        let zen = of_illumos(&ZEN.replace("0x029", "0x02A"), opteron, ultrasparc);
        assert_eq!(zen[0], differs("code 0x129", "code 0x12a"));
        assert_eq!(of_illumos(ZEN, "{ \"DC_miss\", 0x42 }", ultrasparc)[1], differs("code 0x41", "code 0x42"));
        assert_eq!(of_illumos(ZEN, opteron, "{0x8, \"DC_rd_miss\"},")[2], differs("code 0x209", "code 0x8"));
    }

    #[test]
    fn a_reason_is_of_its_list_its_processor_and_its_kind_and_is_stale_without_a_name() {
        let mut reasons = Reasons::of("perf | skylake* | refused | A.* B | why").unwrap();
        let refused = Verdict::Refused(String::new());
        let mut find = |list, processor, name, verdict| reasons.find(list, processor, name, verdict).is_some();
        assert!(!find("perfmon", "skylake", "B", &refused) && !find("perf", "haswell", "B", &refused));
        assert!(!find("perf", "skylake", "B.C", &refused) && !find("perf", "skylake", "B", &Verdict::Agrees));
        assert!(!find("perf", "skylake", "B", &Verdict::Differs(String::new())));
        assert_eq!((reasons.stale(&["papi"]), reasons.stale(&["perf"]).lines().count()), (String::new(), 1));
        assert!(reasons.find("perf", "skylakex", "A.C", &refused).is_some() && reasons.stale(&["perf"]).is_empty());
        assert!(Reasons::of("perf | skylake | A | why").is_err());
    }
}
