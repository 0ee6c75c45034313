//! Any text, as what a person types on one of several processors: every parser answers, and what it takes it takes
//! again from what was printed of it.

use pmu::arch::aarch64::pmuv3::{self, Pmuv3, Share};
use pmu::arch::loongarch::la64::{self, La64};
use pmu::arch::mips::mipsxx::{self, Mipsxx};
use pmu::arch::powerpc::book3s::{self, Book3s};
use pmu::arch::powerpc::classic::{self, Classic};
use pmu::arch::riscv::hpm::{self, Hpm};
use pmu::arch::sparc::niagara::{self, Niagara};
use pmu::arch::sparc::ultrasparc::{self, UltraSparc};
use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{self, Amd};
use pmu::arch::x86::intel::{self, Intel};
use pmu::arch::x86::netburst::{self, Netburst};
use pmu::arch::x86::p5::{self, P5};
use pmu::arch::x86::p6::{self, P6};
use pmu::driver::Plan;
use pmu::output::perfex::Costs;
use pmu::text::{
    notation::Cpc, notation::Error, notation::Inexpressible, notation::Oprofile, notation::Options, notation::Pentium,
    notation::PerfexCommand, notation::Perfmon, notation::Processor,
};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Mode, Request, Set};

type Parse = fn(&str, Processor) -> Result<Set<8>, Error>;

pub(crate) fn run((which, text): (u8, &str)) {
    match which % 19 {
        0 => read_on(text, &intel(&intel::Identity::SKYLAKE)),
        1 => read_on(text, &intel(&intel::Identity::CORE_DUO)),
        2 => read_on(text, &amd(&amd::Identity::ZEN_4)),
        3 => read_on(text, &amd(&amd::Identity::K8)),
        4 => read_on(text, &arm(pmuv3::Identity::ARMV9_4)),
        5 => read_on(text, &power(&book3s::Identity::POWER9)),
        6 => read_on(text, &power(&book3s::Identity::PPC970)),
        7 => read_on(text, &classic(&classic::Identity::P7450)),
        8 => read_on(text, &mips(&mipsxx::Identity::R10000)),
        9 => read_on(text, &mips(&mipsxx::Identity::M74K)),
        10 => read_on(text, &ultrasparc(&ultrasparc::Identity::II)),
        11 => read_on(text, &ultrasparc(&ultrasparc::Identity::IV_PLUS)),
        12 => read_on(text, &niagara(&niagara::Identity::T1)),
        13 => read_on(text, &niagara(&niagara::Identity::T2)),
        14 => read_on(text, &netburst(&netburst::Identity::PRESCOTT)),
        15 => read_on(text, &p6(&p6::Identity::PENTIUM_III)),
        16 => read_on(text, &riscv(&hpm::Identity::U74)),
        17 => read_on(text, &loongarch(&la64::Identity::LOONGSON_3A6000)),
        _ => read_on(text, &p5(&p5::Identity::P5_MMX)),
    }
    costs(text);
}

fn intel(identity: &intel::Identity) -> impl Plan {
    Intel::new(intel::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities())
}

/// All 18 counters, so that cpustat's names of them are read.
fn netburst(identity: &netburst::Identity) -> impl Plan {
    let mut capabilities = identity.capabilities();
    capabilities.view = netburst::View::All;
    Netburst::new(netburst::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, capabilities)
}

fn p6(identity: &p6::Identity) -> impl Plan {
    P6::new(p6::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities())
}

fn p5(identity: &p5::Identity) -> impl Plan {
    P5::new(p5::Device::new(identity, Kinds::CLOCK), identity.capabilities())
}

fn amd(identity: &amd::Identity) -> impl Plan {
    Amd::new(amd::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities())
}

fn arm(identity: pmuv3::Identity) -> impl Plan {
    let registers = pmuv3::Device::new(&identity, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
    let capabilities = pmuv3::Capabilities::discover(&registers).expect("the identity has a unit");
    Pmuv3::new(registers, capabilities, Share::WHOLE)
}

/// One whose events stand in groups, too.
fn power(identity: &book3s::Identity) -> impl Plan {
    Book3s::new(book3s::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

fn classic(identity: &classic::Identity) -> impl Plan {
    Classic::new(classic::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

fn mips(identity: &mipsxx::Identity) -> impl Plan {
    Mipsxx::new(mipsxx::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

fn loongarch(identity: &la64::Identity) -> impl Plan {
    La64::new(la64::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

fn riscv(identity: &hpm::Identity) -> impl Plan {
    Hpm::new(hpm::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

fn ultrasparc(identity: &ultrasparc::Identity) -> impl Plan {
    UltraSparc::new(ultrasparc::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

fn niagara(identity: &niagara::Identity) -> impl Plan {
    Niagara::new(niagara::Device::new(identity, Kinds::CLOCK, Unconnected), identity.capabilities())
}

/// Every notation, by this processor's names.
fn read_on(text: &str, driver: &impl Plan) {
    let processor = Processor::of(driver);
    round_trip(text, processor, Cpc::parse, |read| Ok(Cpc::of(read, processor)?.to_string()));
    round_trip(text, processor, Oprofile::parse, |read| Ok(Oprofile::of(read, processor)?.to_string()));
    round_trip(text, processor, Perfmon::parse, |read| Ok(Perfmon::of(read, processor)?.to_string()));
    let pentium: Parse = |text, processor| Cpc::parse_pentium(text, processor, Pentium::P6);
    for parse in [Cpc::parse_ultrasparc, pentium, Oprofile::parse_with_call_chains] {
        points_into(text, parse(text, processor).err());
    }
    points_into(text, Options::<8, 2>::parse(text, processor).err());
    points_into(text, PerfexCommand::parse(text, processor).err());
}

/// What was read of a text is read again of what is printed of it.
fn round_trip(
    text: &str,
    processor: Processor,
    parse: Parse,
    print: impl FnOnce(&[Request]) -> Result<String, Inexpressible>,
) {
    let read = match parse(text, processor) {
        Ok(read) => read,
        Err(error) => return points_into(text, Some(error)),
    };
    let printed = print(read.requests()).expect("what was read can be said");
    let again = parse(&printed, processor).unwrap_or_else(|error| panic!("{}", error.in_text(&printed)));
    assert_eq!(again.requests(), read.requests(), "{text:?} was printed as {printed:?}");
}

/// An error says which of the text's own characters are wrong.
fn points_into(text: &str, error: Option<Error>) {
    let is_outside = |error: &Error| text.get(error.at.clone()).is_none();
    assert!(!error.as_ref().is_some_and(is_outside), "{error:?} in {text:?}");
}

/// A table of costs that is found right gives each of its events a cost.
fn costs(text: &str) {
    let texts = [text];
    let costs = Costs::of_processor(&[]).after(&texts);
    if costs.check().is_ok() {
        let events = text.lines().filter_map(|line| line.split('#').next()?.split_ascii_whitespace().next());
        events.for_each(|event| assert!(costs.of(event).is_some(), "{event} has no cost in {text:?}"));
    }
}
