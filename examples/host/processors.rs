//! The processors that can be asked about, and how one is found by its name.

use std::fmt;

use pmu::arch::aarch64::pmuv3::{self, Pmuv3};
use pmu::arch::mips::mipsxx::{self, Mipsxx};
use pmu::arch::powerpc::{book3s, classic, embedded};
use pmu::arch::riscv::hpm::{self, Hpm};
use pmu::arch::sparc::{niagara, ultrasparc};
use pmu::arch::x86::{Unattached, amd, intel, netburst, p5, p6};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Driver, Mode, Recorder, Registers};

use super::{Recorded, about};

/// Answers a question about a processor.
type About = Box<dyn Fn(Option<&str>) -> String>;

/// A processor that can be asked about.
pub(super) struct Known {
    name: &'static str,
    pub(super) about: About,
}

/// A processor of this name, with its unit in software and the driver of it.
fn known<R, D>(
    name: &'static str,
    device: impl Fn() -> R + 'static,
    driver: impl Fn(Recorded<R>) -> D + 'static,
) -> Known
where
    R: Registers<Address: fmt::Debug> + 'static,
    D: Driver<Registers = Recorded<R>> + 'static,
{
    let make = move || driver(Box::leak(Box::new(Recorder::new(device()))));
    Known { name, about: Box::new(move |asked| about(&make, asked)) }
}

/// The processors of a family, by the names of its identities.
macro_rules! family {
    ($family:ident, $identities:expr, |$identity:ident, $registers:ident| $driver:expr) => {
        $identities.into_iter().map(|$identity| {
            let device = move || $family::Device::new(&$identity, Kinds::CLOCK, Unconnected);
            known($identity.name(), device, move |$registers| $driver)
        })
    };
}

fn all() -> Vec<Known> {
    let mut all: Vec<_> =
        family!(intel, intel::Identity::ALL, |it, on| intel::Intel::<_, _>::new(on, Unattached, it.capabilities()))
            .chain(family!(netburst, netburst::Identity::ALL, |it, on| netburst::Netburst::new(
                on,
                Unattached,
                it.capabilities()
            )))
            .chain(family!(p6, p6::Identity::ALL, |it, on| p6::P6::new(on, Unattached, it.capabilities())))
            .chain(p5::Identity::ALL.into_iter().map(|it| {
                known(
                    it.name(),
                    move || p5::Device::new(&it, Kinds::CLOCK),
                    move |on| p5::P5::new(on, it.capabilities()),
                )
            }))
            .chain(family!(amd, amd::Identity::ALL, |it, on| amd::Amd::<_, _>::new(on, Unattached, it.capabilities())))
            .chain(pmuv3::Identity::ALL.into_iter().map(|it| {
                let device = move || pmuv3::Device::new(&it, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
                known(it.name(), device, |on| Pmuv3::detect(on).expect("the device keeps what is written"))
            }))
            .chain(family!(book3s, book3s::Identity::ALL, |it, on| book3s::Book3s::new(on, it.capabilities())))
            .chain(family!(classic, classic::Identity::ALL, |it, on| classic::Classic::new(on, it.capabilities())))
            .chain(family!(embedded, embedded::Identity::ALL, |it, on| embedded::Embedded::new(on, it.capabilities())))
            .chain(family!(mipsxx, mipsxx::Identity::ALL, |it, on| Mipsxx::new(on, it.capabilities())))
            .chain(family!(niagara, niagara::Identity::ALL, |it, on| niagara::Niagara::new(on, it.capabilities())))
            .chain(family!(ultrasparc, ultrasparc::Identity::ALL, |it, on| ultrasparc::UltraSparc::new(
                on,
                it.capabilities()
            )))
            .chain(family!(hpm, hpm::Identity::ALL, |it, on| Hpm::new(on, it.capabilities())))
            .collect();
    // Some differ in what their owner may do alone.
    all.dedup_by_key(|known| known.name);
    all
}

/// Returns the names of all processors, one a line.
pub(super) fn names() -> String {
    lines(&all())
}

/// Finds a processor: the one of this very name, else the only one with the same letters and digits, else the only one
/// whose name has each of these words.
///
/// # Errors
/// Returns the names of those that could be meant, which are all if none has these words.
pub(super) fn find(name: &str) -> Result<Known, String> {
    let words: Vec<_> = name.split([' ', '-', '_']).map(plain).collect();
    let is_meant: [&dyn Fn(&Known) -> bool; 3] =
        [&|known| known.name == name, &|known| plain(known.name) == plain(name), &|known| {
            words.iter().all(|word| plain(known.name).contains(word))
        }];
    for is_meant in is_meant {
        let mut meant: Vec<_> = all().into_iter().filter(is_meant).collect();
        match meant.len() {
            0 => {}
            1 => return Ok(meant.remove(0)),
            _ => return Err(lines(&meant)),
        }
    }
    Err(names())
}

fn lines(processors: &[Known]) -> String {
    processors.iter().map(|known| format!("{}\n", known.name)).collect()
}

/// A name without what people write in several ways. The sign `+` tells processors apart.
fn plain(name: &str) -> String {
    name.chars().filter(|it| it.is_ascii_alphanumeric() || *it == '+').collect::<String>().to_ascii_lowercase()
}
