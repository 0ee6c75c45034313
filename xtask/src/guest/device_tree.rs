//! What the guest on RISC-V is told of its machine: a device tree (devicetree.org, "Devicetree Specification"; the properties
//! of processors are those of Linux' bindings, riscv/cpus.yaml and riscv/extensions.yaml).

use std::ops::Range;

use anyhow::Result;
use vm_fdt::FdtWriter;

/// What QEMU loads for the guest.
pub(super) struct Loaded<'a> {
    pub(super) command_line: &'a str,
    /// The addresses of its first file system.
    pub(super) initramfs: Range<u64>,
}

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
pub(super) fn of_guest(loaded: &Loaded<'_>) -> Result<Vec<u8>> {
    let mut tree = FdtWriter::new()?;
    let root = tree.begin_node("")?;
    tree.property_string("compatible", "pmu,guest")?;
    tree.property_string("model", "a guest of pmu's hypervisor")?;
    tree.property_u32("#address-cells", 2)?;
    tree.property_u32("#size-cells", 2)?;
    add_loaded(&mut tree, loaded)?;
    let memory = tree.begin_node(&format!("memory@{:x}", MEMORY.start))?;
    tree.property_string("device_type", "memory")?;
    tree.property_array_u64("reg", &[MEMORY.start, MEMORY.end - MEMORY.start])?;
    tree.end_node(memory)?;
    add_hart(&mut tree)?;
    let port = tree.begin_node(&format!("serial@{SERIAL_PORT:x}"))?;
    tree.property_string("compatible", "ns16550a")?;
    tree.property_array_u64("reg", &[SERIAL_PORT, SERIAL_PORT_SIZE])?;
    tree.property_u32("clock-frequency", SERIAL_PORT_CLOCK)?;
    tree.end_node(port)?;
    tree.end_node(root)?;
    Ok(tree.finish()?)
}

fn add_loaded(tree: &mut FdtWriter, loaded: &Loaded<'_>) -> Result<()> {
    let chosen = tree.begin_node("chosen")?;
    tree.property_string("bootargs", loaded.command_line)?;
    tree.property_u64("linux,initrd-start", loaded.initramfs.start)?;
    tree.property_u64("linux,initrd-end", loaded.initramfs.end)?;
    tree.end_node(chosen)?;
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guest_is_told_of_what_is_loaded_for_it() {
        let loaded = Loaded { command_line: "console=x", initramfs: 0x1234_5678_9abc..0x1234_5678_9abd };
        let tree = of_guest(&loaded).unwrap();
        let has = |bytes: &[u8]| tree.windows(bytes.len()).any(|window| window == bytes);
        assert_eq!(tree[..4], [0xd0, 0x0d, 0xfe, 0xed], "the number that a tree begins with");
        assert!(has(b"console=x\0"));
        assert!(has(&loaded.initramfs.start.to_be_bytes()) && has(&loaded.initramfs.end.to_be_bytes()));
    }
}
