//! What a guest is told of its machine: a device tree (devicetree.org, "Devicetree Specification").

mod aarch64;
mod riscv;

use std::ops::Range;

use anyhow::Result;
use vm_fdt::FdtWriter;

pub(super) use aarch64::of_guest as aarch64;
pub(super) use riscv::of_guest as riscv;

/// What QEMU loads for the guest.
pub(super) struct Loaded<'a> {
    pub(super) command_line: &'a str,
    /// The addresses of its first file system.
    pub(super) initramfs: Range<u64>,
}

/// Returns the tree, as it lies in memory, of a machine with this memory and what is added.
fn of_machine(
    memory: &Range<u64>,
    loaded: &Loaded<'_>,
    add: impl FnOnce(&mut FdtWriter) -> Result<()>,
) -> Result<Vec<u8>> {
    let mut tree = FdtWriter::new()?;
    let root = tree.begin_node("")?;
    tree.property_string("compatible", "pmu,guest")?;
    tree.property_string("model", "a guest of pmu's hypervisor")?;
    tree.property_u32("#address-cells", 2)?;
    tree.property_u32("#size-cells", 2)?;
    add_loaded(&mut tree, loaded)?;
    let node = tree.begin_node(&format!("memory@{:x}", memory.start))?;
    tree.property_string("device_type", "memory")?;
    tree.property_array_u64("reg", &[memory.start, memory.end - memory.start])?;
    tree.end_node(node)?;
    add(&mut tree)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_told_of_what_is_loaded_for_it() {
        let loaded = Loaded { command_line: "console=x", initramfs: 0x1234_5678_9abc..0x1234_5678_9abd };
        for tree in [aarch64(&loaded).unwrap(), riscv(&loaded).unwrap()] {
            let has = |bytes: &[u8]| tree.windows(bytes.len()).any(|window| window == bytes);
            assert_eq!(tree[..4], [0xd0, 0x0d, 0xfe, 0xed], "the number that a tree begins with");
            assert!(has(b"console=x\0"));
            assert!(has(&loaded.initramfs.start.to_be_bytes()) && has(&loaded.initramfs.end.to_be_bytes()));
        }
    }
}
