//! What the guest on RISC-V is told of its machine. The properties of processors are those of Linux' bindings, riscv/cpus.yaml
//! and riscv/extensions.yaml.

use std::ops::Range;

use anyhow::Result;
use vm_fdt::FdtWriter;

use super::{Loaded, of_machine};

/// The guest's memory (`hypervisor/riscv/src/memory.rs`).
const MEMORY: Range<u64> = 0x8020_0000..0x8f00_0000;
/// The serial port of QEMU's board, which is the guest's: where it is, its registers, and its clock. It has no interrupt, since
/// the guest has no interrupt controller: Linux asks it.
const SERIAL_PORT: u64 = 0x1000_0000;
const SERIAL_PORT_SIZE: u64 = 0x100;
const SERIAL_PORT_CLOCK: u32 = 3_686_400;
/// The board's clock, which the guest reads.
const CLOCK: u32 = 10_000_000;
/// Of the hart's extensions those that the guest is shown. Sscofpmf is the unit's interrupt.
const EXTENSIONS: [&str; 12] =
    ["i", "m", "a", "f", "d", "c", "zicntr", "zicsr", "zifencei", "zihpm", "sscofpmf", "sstc"];

/// Returns the tree, as it lies in memory.
pub(in crate::guest) fn of_guest(loaded: &Loaded<'_>) -> Result<Vec<u8>> {
    of_machine(&MEMORY, loaded, |tree| {
        add_hart(tree)?;
        let port = tree.begin_node(&format!("serial@{SERIAL_PORT:x}"))?;
        tree.property_string("compatible", "ns16550a")?;
        tree.property_array_u64("reg", &[SERIAL_PORT, SERIAL_PORT_SIZE])?;
        tree.property_u32("clock-frequency", SERIAL_PORT_CLOCK)?;
        tree.end_node(port)?;
        Ok(())
    })
}

fn add_hart(tree: &mut FdtWriter) -> Result<()> {
    let harts = tree.begin_node("cpus")?;
    tree.property_u32("#address-cells", 1)?;
    tree.property_u32("#size-cells", 0)?;
    tree.property_u32("timebase-frequency", CLOCK)?;
    let hart = tree.begin_node("cpu@0")?;
    tree.property_string("device_type", "cpu")?;
    tree.property_string("compatible", "riscv")?;
    tree.property_u32("reg", 0)?;
    tree.property_string("mmu-type", "riscv,sv39")?;
    tree.property_string("riscv,isa-base", "rv64i")?;
    tree.property_string_list("riscv,isa-extensions", EXTENSIONS.map(str::to_owned).into())?;
    let interrupts = tree.begin_node("interrupt-controller")?;
    tree.property_string("compatible", "riscv,cpu-intc")?;
    tree.property_null("interrupt-controller")?;
    tree.property_u32("#interrupt-cells", 1)?;
    tree.end_node(interrupts)?;
    tree.end_node(hart)?;
    tree.end_node(harts)?;
    Ok(())
}
