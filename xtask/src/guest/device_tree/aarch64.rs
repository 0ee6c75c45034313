//! What the guest on AArch64 is told of its machine. The properties are those of Linux' bindings: arm/cpus.yaml, arm/pmu.yaml,
//! arm/psci.yaml, interrupt-controller/arm,gic-v3.yaml, serial/pl011.yaml, timer/arm,arch_timer.yaml.

use std::ops::Range;

use anyhow::Result;
use vm_fdt::FdtWriter;

use super::{Loaded, of_machine};

/// The guest's memory (`hypervisor/aarch64/src/memory.rs`).
const MEMORY: Range<u64> = 0x4100_0000..0x5000_0000;
/// The devices of QEMU's board that are the guest's: where they are, and how long.
const DISTRIBUTOR: [u64; 2] = [0x0800_0000, 0x1_0000];
const REDISTRIBUTOR: [u64; 2] = [0x080a_0000, 0x2_0000];
const SERIAL_PORT: [u64; 2] = [0x0900_0000, 0x1000];
const SERIAL_PORT_CLOCK: u32 = 24_000_000;
/// The kind of an interrupt: shared, or a processor's own, whose numbers begin with 0 and are 32 and 16 to the processor; a
/// level.
const SHARED: u32 = 0;
const OWN: u32 = 1;
const LEVEL: u32 = 4;
/// The unit's, and the serial port's.
const UNIT: [u32; 3] = [OWN, 7, LEVEL];
const OF_SERIAL_PORT: [u32; 3] = [SHARED, 1, LEVEL];
/// The timers': secure, physical, virtual, the hypervisor's. Linux uses the virtual one.
const TIMERS: [u32; 12] = [OWN, 13, LEVEL, OWN, 14, LEVEL, OWN, 11, LEVEL, OWN, 10, LEVEL];

/// What other nodes refer to.
const CONTROLLER: u32 = 1;
const CLOCK: u32 = 2;

/// Returns the tree, as it lies in memory.
pub(in crate::guest) fn of_guest(loaded: &Loaded<'_>) -> Result<Vec<u8>> {
    of_machine(&MEMORY, loaded, |tree| {
        add_processor(tree)?;
        add_controller(tree)?;
        add(tree, "timer", &["arm,armv8-timer"], |tree| add_interrupts(tree, &TIMERS))?;
        add(tree, "pmu", &["arm,armv8-pmuv3"], |tree| add_interrupts(tree, &UNIT))?;
        add(tree, "psci", &["arm,psci-1.0"], |tree| Ok(tree.property_string("method", "hvc")?))?;
        add_serial_port(tree)
    })
}

/// A node of this kind.
fn add(
    tree: &mut FdtWriter,
    name: &str,
    compatible: &[&str],
    properties: impl FnOnce(&mut FdtWriter) -> Result<()>,
) -> Result<()> {
    let node = tree.begin_node(name)?;
    tree.property_string_list("compatible", compatible.iter().map(|&kind| kind.to_owned()).collect())?;
    properties(tree)?;
    tree.end_node(node)?;
    Ok(())
}

fn add_interrupts(tree: &mut FdtWriter, interrupts: &[u32]) -> Result<()> {
    tree.property_u32("interrupt-parent", CONTROLLER)?;
    Ok(tree.property_array_u32("interrupts", interrupts)?)
}

fn add_processor(tree: &mut FdtWriter) -> Result<()> {
    let processors = tree.begin_node("cpus")?;
    tree.property_u32("#address-cells", 1)?;
    tree.property_u32("#size-cells", 0)?;
    add(tree, "cpu@0", &["arm,armv8"], |tree| {
        tree.property_string("device_type", "cpu")?;
        tree.property_u32("reg", 0)?;
        Ok(tree.property_string("enable-method", "psci")?)
    })?;
    tree.end_node(processors)?;
    Ok(())
}

fn add_controller(tree: &mut FdtWriter) -> Result<()> {
    add(tree, &format!("interrupt-controller@{:x}", DISTRIBUTOR[0]), &["arm,gic-v3"], |tree| {
        tree.property_array_u64("reg", [DISTRIBUTOR, REDISTRIBUTOR].as_flattened())?;
        tree.property_null("interrupt-controller")?;
        tree.property_u32("#interrupt-cells", 3)?;
        Ok(tree.property_phandle(CONTROLLER)?)
    })
}

fn add_serial_port(tree: &mut FdtWriter) -> Result<()> {
    add(tree, "clock", &["fixed-clock"], |tree| {
        tree.property_u32("#clock-cells", 0)?;
        tree.property_u32("clock-frequency", SERIAL_PORT_CLOCK)?;
        Ok(tree.property_phandle(CLOCK)?)
    })?;
    add(tree, &format!("serial@{:x}", SERIAL_PORT[0]), &["arm,pl011", "arm,primecell"], |tree| {
        tree.property_array_u64("reg", &SERIAL_PORT)?;
        add_interrupts(tree, &OF_SERIAL_PORT)?;
        tree.property_array_u32("clocks", &[CLOCK; 2])?;
        Ok(tree.property_string_list("clock-names", vec!["uartclk".to_owned(), "apb_pclk".to_owned()])?)
    })
}
