//! The processors that both know.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{self, Amd, Identity as AmdIdentity};
use pmu::arch::x86::intel::{Architectural, Auxiliary, Capabilities, Core, Device, Identity, Intel, Microarchitecture};
use pmu::driver::Description;
use pmu::driver::Plan;
use pmu::request::Generic;
use pmu::text::catalogue::Catalogue;
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event};

pub(crate) struct Unit {
    pub(crate) name: &'static str,
    pub(crate) description: Description,
    pub(crate) catalogue: &'static Catalogue,
    pub(crate) generic: Vec<(Generic, Event)>,
}

/// The generic events of a unit, and what each is of the processor's own.
pub(crate) fn generic_of(driver: &impl Plan) -> Vec<(Generic, Event)> {
    Generic::ALL.into_iter().filter_map(|generic| Some((generic, driver.native(generic).ok()?))).collect()
}

fn of(name: &'static str, driver: &impl Plan) -> Unit {
    Unit { name, description: driver.description(), catalogue: driver.catalogue(), generic: generic_of(driver) }
}

fn intel(name: &'static str, identity: &Identity, model: u32, core: Core) -> Unit {
    of_capabilities(name, identity, identity.capabilities(), model, core)
}

/// A processor that only its stepping tells from another.
fn stepping(name: &'static str, identity: &Identity, model: u32, stepping: u32) -> Unit {
    let mut capabilities = identity.capabilities();
    capabilities.stepping = stepping;
    of_capabilities(name, identity, capabilities, model, Core::Alike)
}

fn of_capabilities(
    name: &'static str,
    identity: &Identity,
    mut capabilities: Capabilities,
    model: u32,
    core: Core,
) -> Unit {
    let microarchitecture = Microarchitecture::of_core(capabilities.family, model, core).expect("the model is listed");
    let events = capabilities.events | Architectural::BRANCH_MISSES;
    let more = if core == Core::Small(3) { CounterSet::from_bits(0x70 << 32) } else { CounterSet::EMPTY };
    (capabilities.model, capabilities.core, capabilities.microarchitecture) = (model, core, Some(microarchitecture));
    (capabilities.events, capabilities.fixed) = (events, capabilities.fixed.or(more));
    capabilities.auxiliaries = Auxiliary::of(microarchitecture);
    of(name, &Intel::new(Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, capabilities))
}

fn amd(name: &'static str, identity: &AmdIdentity, family: u32, model: u32) -> Unit {
    let mut capabilities = identity.capabilities();
    (capabilities.family, capabilities.model) = (family, model);
    of(name, &Amd::new(amd::Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, capabilities))
}

pub(crate) fn all() -> Vec<Unit> {
    let a = Core::Alike;
    vec![
        amd("amd64_k7", &AmdIdentity::K7, 6, 8),
        amd("amd64_k8_revb", &AmdIdentity::K8, 0xF, 4),
        amd("amd64_k8_revg", &AmdIdentity::K8, 0xF, 0x41),
        amd("amd64_fam10h_barcelona", &AmdIdentity::FAMILY_10H, 0x10, 2),
        amd("amd64_fam10h_istanbul", &AmdIdentity::FAMILY_10H, 0x10, 8),
        amd("amd64_fam11h_turion", &AmdIdentity::K8, 0x11, 3),
        amd("amd64_fam12h_llano", &AmdIdentity::FAMILY_10H, 0x12, 1),
        amd("amd64_fam14h_bobcat", &AmdIdentity::FAMILY_10H, 0x14, 2),
        amd("amd64_fam15h_interlagos", &AmdIdentity::FAMILY_15H, 0x15, 1),
        amd("amd64_fam16h", &AmdIdentity::FAMILY_16H, 0x16, 0),
        amd("amd64_fam17h_zen1", &AmdIdentity::ZEN_2, 0x17, 1),
        amd("amd64_fam17h_zen2", &AmdIdentity::ZEN_2, 0x17, 0x31),
        amd("amd64_fam19h_zen3", &AmdIdentity::ZEN_2, 0x19, 0x21),
        amd("amd64_fam19h_zen4", &AmdIdentity::ZEN_4, 0x19, 0x61),
        intel("core", &Identity::CORE_2, 0x0F, a),
        intel("nhm", &Identity::NEHALEM, 0x1A, a),
        intel("nhm_ex", &Identity::NEHALEM, 0x2E, a),
        intel("wsm", &Identity::NEHALEM, 0x25, a),
        intel("wsm_dp", &Identity::NEHALEM, 0x2C, a),
        intel("snb", &Identity::SKYLAKE, 0x2A, a),
        intel("snb_ep", &Identity::SKYLAKE, 0x2D, a),
        intel("ivb", &Identity::SKYLAKE, 0x3A, a),
        intel("ivb_ep", &Identity::SKYLAKE, 0x3E, a),
        intel("hsw", &Identity::SKYLAKE, 0x3C, a),
        intel("hsw_ep", &Identity::SKYLAKE, 0x3F, a),
        intel("bdw", &Identity::SKYLAKE, 0x3D, a),
        intel("bdw_ep", &Identity::SKYLAKE, 0x4F, a),
        intel("skl", &Identity::SKYLAKE, 0x5E, a),
        intel("skx", &Identity::SKYLAKE, 0x55, a),
        stepping("clx", &Identity::SKYLAKE, 0x55, 7),
        intel("icl", &Identity::SAPPHIRE_RAPIDS, 0x7E, a),
        intel("icx", &Identity::SAPPHIRE_RAPIDS, 0x6A, a),
        intel("spr", &Identity::SAPPHIRE_RAPIDS, 0x8F, a),
        intel("atom", &Identity::SKYLAKE, 0x1C, a),
        intel("slm", &Identity::SKYLAKE, 0x37, a),
        intel("knl", &Identity::SKYLAKE.with_general_counters(2), 0x57, a),
        intel("knm", &Identity::SKYLAKE.with_general_counters(2), 0x85, a),
        intel("glm", &Identity::SKYLAKE, 0x5C, a),
        intel("tmt", &Identity::SKYLAKE, 0x86, a),
    ]
}
