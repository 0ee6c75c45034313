//! A preset is the same events as in PAPI, or the guide lists the difference with its reason.
//!
//! PAPI reads its presets from a text, papi_events.csv, which names libpfm's units and events:
//!
//! ```text
//! CPU,skl
//! PRESET,PAPI_BR_PRC,DERIVED_SUB,BR_INST_RETIRED:CONDITIONAL,BR_MISP_RETIRED:CONDITIONAL
//! PRESET,PAPI_FP_OPS,DERIVED_POSTFIX,N0|N1|2|*|+|,FP_ARITH:SCALAR,FP_ARITH:128B
//! ```
//! A later line of a processor replaces an earlier one.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, iter};

use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::mips::mipsxx::{self, Mipsxx};
use pmu::arch::powerpc::book3s::{self, Book3s};
use pmu::arch::sparc::{niagara, ultrasparc};
use pmu::arch::x86::{Unattached, intel, netburst, p6};
use pmu::driver::{Description, Plan};
use pmu::request::Generic;
use pmu::text::catalogue::Catalogue;
use pmu::text::{notation::Perfmon, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Event, Mode, Request};

use crate::names::{Compared, Verdict};
use crate::units::{self, Unit, generic_of};

/// What a preset counts: each event, and what its count is multiplied by.
type Combination = BTreeMap<Counted, i64>;
/// What decides what a request counts: code, auxiliary value, threshold, flags.
type Counted = (u64, u64, u8, String);

/// A processor by PAPI's name: its catalogue, and the codes of its generic events.
struct Known {
    name: &'static str,
    catalogue: &'static Catalogue,
    unit: Description,
    generic: Vec<(Generic, Event)>,
}

impl Known {
    fn of(name: &'static str, driver: &impl Plan) -> Self {
        Self { name, catalogue: driver.catalogue(), unit: driver.description(), generic: generic_of(driver) }
    }

    fn counted(&self, request: &Request) -> Option<Counted> {
        let own = match request.event {
            Event::Generic(generic) => self.generic.iter().find(|(it, _)| *it == generic)?.1,
            own => own,
        };
        let Event::Raw { code, auxiliary } = own else { return None };
        Some((code, auxiliary, request.threshold, format!("{:?}", request.flags)))
    }

    /// Returns what we count for a preset.
    fn ours(&self, name: &str) -> Option<Combination> {
        if let Some(generic) = self.catalogue.generic(name) {
            return Some(Combination::from([(self.counted(&Request::new(generic.event))?, 1)]));
        }
        let preset = self.catalogue.preset(name)?;
        added(preset.terms().map(|term| Some((self.counted(&self.catalogue.request_of(term)?)?, term.factor))))
    }

    /// Returns what PAPI counts, or `None` if it names an event that our table does not have.
    fn theirs(&self, terms: &[(i64, String)]) -> Option<Combination> {
        let here = Processor::new(self.unit, self.catalogue);
        added(terms.iter().map(|(factor, text)| {
            let set = Perfmon::parse::<1>(text.trim_start_matches("ix86arch::"), here).ok()?;
            Some((self.counted(&set.requests()[0])?, *factor))
        }))
    }
}

fn added(terms: impl Iterator<Item = Option<(Counted, i64)>>) -> Option<Combination> {
    let mut all = Combination::new();
    for term in terms {
        let (counted, factor) = term?;
        *all.entry(counted).or_default() += factor;
    }
    Some(all)
}

fn known() -> Vec<Known> {
    let book3s = |name, identity: &book3s::Identity| {
        let device = book3s::Device::new(identity, Kinds::CLOCK, Unconnected);
        Known::of(name, &Book3s::new(device, identity.capabilities()))
    };
    let arm = |name, identity: &pmuv3::Identity| {
        let device = pmuv3::Device::new(identity, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
        Known::of(name, &Pmuv3::detect(device).expect("the device keeps what is written"))
    };
    let p6 = |name, identity: &p6::Identity| {
        let device = p6::Device::new(identity, Kinds::CLOCK, Unconnected);
        Known::of(name, &p6::P6::new(device, Unattached, identity.capabilities()))
    };
    let netburst = |name, identity: &netburst::Identity| {
        let device = netburst::Device::new(identity, Kinds::CLOCK, Unconnected);
        Known::of(name, &netburst::Netburst::new(device, Unattached, identity.capabilities()))
    };
    let ultrasparc = |name, identity: &ultrasparc::Identity| {
        let device = ultrasparc::Device::new(identity, Kinds::CLOCK, Unconnected);
        Known::of(name, &ultrasparc::UltraSparc::new(device, identity.capabilities()))
    };
    let niagara = |name, identity: &niagara::Identity| {
        let device = niagara::Device::new(identity, Kinds::CLOCK, Unconnected);
        Known::of(name, &niagara::Niagara::new(device, identity.capabilities()))
    };
    let (core_duo, m74k) = (&intel::Identity::CORE_DUO, &mipsxx::Identity::M74K);
    let core_duo_device = intel::Device::new(core_duo, Kinds::CLOCK, Unconnected);
    let m74k_device = mipsxx::Device::new(m74k, Kinds::CLOCK, Unconnected);
    let others = vec![
        Known::of("coreduo", &intel::Intel::<_, _>::new(core_duo_device, Unattached, core_duo.capabilities())),
        p6("ppro", &p6::Identity::PENTIUM_PRO),
        p6("pii", &p6::Identity::PENTIUM_II),
        p6("Intel PentiumIII", &p6::Identity::PENTIUM_III),
        p6("pm", &p6::Identity::PENTIUM_M),
        netburst("netburst", &netburst::Identity::PENTIUM_4),
        netburst("netburst_p", &netburst::Identity::PRESCOTT),
        book3s("PPC970", &book3s::Identity::PPC970),
        book3s("POWER5", &book3s::Identity::POWER5),
        book3s("POWER5+", &book3s::Identity::POWER5_PLUS),
        book3s("power6", &book3s::Identity::POWER6),
        book3s("power7", &book3s::Identity::POWER7),
        book3s("power8", &book3s::Identity::POWER8),
        book3s("power9", &book3s::Identity::POWER9),
        book3s("power10", &book3s::Identity::POWER10),
        ultrasparc("ultra12", &ultrasparc::Identity::II),
        ultrasparc("ultra3", &ultrasparc::Identity::III),
        ultrasparc("ultra3+", &ultrasparc::Identity::III_PLUS),
        ultrasparc("ultra3i", &ultrasparc::Identity::III_I),
        ultrasparc("ultra4+", &ultrasparc::Identity::IV_PLUS),
        niagara("niagara", &niagara::Identity::T1),
        niagara("niagara2", &niagara::Identity::T2),
        arm("arm_ac53", &pmuv3::Identity::CORTEX_A53),
        arm("arm_ac57", &pmuv3::Identity::CORTEX_A57),
        arm("arm_ac72", &pmuv3::Identity::CORTEX_A72),
        arm("arm_n1", &pmuv3::Identity::NEOVERSE_N1),
        arm("arm_v1", &pmuv3::Identity::NEOVERSE_V1),
        arm("arm_n2", &pmuv3::Identity::NEOVERSE_N2),
        Known::of("mips_74k", &Mipsxx::new(m74k_device, m74k.capabilities())),
    ];
    let x86 = units::all().into_iter();
    let x86 =
        x86.map(|Unit { name, description, catalogue, generic }| Known { name, catalogue, unit: description, generic });
    x86.chain(others).collect()
}

/// PAPI's presets by processor and name.
type Papi = BTreeMap<String, BTreeMap<String, Vec<(i64, String)>>>;

fn papi() -> Papi {
    let folders = fs::read_dir("/usr/share/papi").expect("libpapi-dev is installed").flatten();
    let text = folders.filter_map(|folder| fs::read_to_string(folder.path().join("papi_events.csv")).ok()).next();
    let text = text.expect("PAPI has its presets in a text");
    let (mut all, mut names, mut was_preset) = (Papi::new(), Vec::new(), true);
    for line in text.lines() {
        let words: Vec<_> = line.split(',').map(str::trim).collect();
        match words[..] {
            ["CPU", name, ..] => {
                if was_preset {
                    names.clear();
                }
                (was_preset, _) = (false, names.push(name));
            }
            ["PRESET", preset, derivation, ref rest @ ..] => {
                was_preset = true;
                let rest: Vec<_> =
                    rest.iter().take_while(|word| **word != "NOTE").filter(|it| !it.is_empty()).collect();
                let Some(terms) = terms(derivation, &rest) else { continue };
                for name in &names {
                    all.entry((*name).into()).or_default().insert(preset.to_lowercase(), terms.clone());
                }
            }
            _ => {}
        }
    }
    all
}

/// Returns the events and their factors, or `None` if events are counted that are not added up.
fn terms(derivation: &str, words: &[&&str]) -> Option<Vec<(i64, String)>> {
    let factors: Vec<i64> = match derivation {
        "NOT_DERIVED" => vec![1],
        "DERIVED_ADD" => vec![1; words.len()],
        "DERIVED_SUB" => iter::once(1).chain(iter::repeat(-1)).take(words.len()).collect(),
        "DERIVED_POSTFIX" => return Some(zipped(&postfix(words[0], words.len() - 1), &words[1..])),
        _ => return None,
    };
    Some(zipped(&factors, words))
}

fn zipped(factors: &[i64], words: &[&&str]) -> Vec<(i64, String)> {
    factors.iter().zip(words).map(|(factor, word)| (*factor, (**word).to_owned())).collect()
}

/// Returns the factors of a formula in which events are added, subtracted, and multiplied or divided by numbers.
fn postfix(formula: &str, events: usize) -> Vec<i64> {
    let mut stack: Vec<Vec<i64>> = Vec::new();
    for word in formula.split('|').filter(|word| !word.is_empty()) {
        // A number stands in the last place.
        let mut value = vec![0; events + 1];
        if let Some(number) = word.strip_prefix('N') {
            value[number.parse::<usize>().expect("N and a number")] = 1;
        } else if let Ok(number) = word.parse() {
            value[events] = number;
        } else {
            let (right, left) = (stack.pop().expect("two values"), stack.pop().expect("two values"));
            value =
                left.iter().zip(&right).map(|(one, other)| one + if word == "-" { -other } else { *other }).collect();
            let times = |value: &[i64], by: i64| value.iter().map(|it| it * by).collect();
            match word {
                "*" if right[events] != 0 => value = times(&left, right[events]),
                "*" => value = times(&right, left[events]),
                "/" => value = left.iter().map(|it| it / right[events]).collect(),
                _ => {}
            }
        }
        stack.push(value);
    }
    let mut result = stack.pop().expect("a result");
    result.truncate(events);
    result
}

const GUIDE: &str = include_str!("../../docs/tables.md");

/// The rows of the guide's table: processor and preset.
fn listed() -> BTreeSet<(String, String)> {
    let section = GUIDE.split("## ").find(|section| section.starts_with("PAPI")).expect("the guide has the section");
    let rows = section.lines().filter(|row| row.starts_with("| ") && !row.starts_with("| processor"));
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let pairs = rows.flat_map(|row| {
        let cells: Vec<_> = row.split(" | ").collect();
        assert!(cells.len() == 5 && cells[4].len() > 10, "{row}");
        let (names, presets) = (quoted(cells[0]), quoted(cells[1]));
        names.into_iter().flat_map(move |name| presets.clone().into_iter().map(move |preset| (name.clone(), preset)))
    });
    pairs.collect()
}

/// Returns every preset of each processor that both know, and what becomes of it here.
pub(crate) fn compared() -> Vec<Compared> {
    let (papi, listed) = (papi(), listed());
    let mut all = Vec::new();
    for known in known() {
        for (name, terms) in papi.get(known.name).into_iter().flatten() {
            let verdict = match (known.ours(name), known.theirs(terms)) {
                (None, _) => Verdict::Refused(format!("{terms:?}")),
                (ours, theirs) if ours == theirs => Verdict::Agrees,
                (ours, theirs) => Verdict::Differs(format!("{ours:x?}, theirs {theirs:x?} {terms:?}")),
            };
            let is_listed = verdict != Verdict::Agrees && listed.contains(&(known.name.to_owned(), name.clone()));
            let reason = is_listed.then(|| "docs/tables.md".to_owned());
            all.push(Compared { processor: known.name.to_owned(), name: name.clone(), verdict, reason });
        }
    }
    all
}

#[test]
fn a_preset_is_papis_or_the_guide_lists_the_difference_with_its_reason() {
    let compared = compared();
    let unlisted = compared.iter().filter(|preset| preset.verdict != Verdict::Agrees && preset.reason.is_none());
    let unlisted: Vec<_> = unlisted.map(|it| format!("{}\t{}\t{:?}", it.processor, it.name, it.verdict)).collect();
    println!("{} presets", compared.len());
    assert!(unlisted.is_empty(), "{}", unlisted.join("\n"));
    assert!(compared.len() >= 1700, "only {} presets", compared.len());
    let is_needed = |row: &(String, String)| {
        let mut same = compared.iter().filter(|it| it.processor == row.0);
        same.next().is_none()
            || compared.iter().any(|it| (&it.processor, &it.name) == (&row.0, &row.1) && it.reason.is_some())
    };
    let stale: Vec<_> = listed().into_iter().filter(|row| !is_needed(row)).collect();
    assert!(stale.is_empty(), "{stale:#?}");
}

#[test]
fn every_preset_of_papi_is_one_of_its_names() {
    let all: BTreeSet<_> = papi().into_values().flat_map(BTreeMap::into_keys).collect();
    let unknown: Vec<_> = all.iter().filter(|name| !pmu::text::catalogue::Preset::is_papi(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
