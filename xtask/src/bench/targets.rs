//! The target of each figure.
//!
//! A name that begins with `*` is a figure of every kernel, and the `*` stands for the kernel's word. The names contain the
//! conditions of the measurement: see `docs/figures.md`.

use clap::ValueEnum;

use super::architecture::Group;
use crate::identity::Identity;
use crate::kernel::Kernel;

/// A figure and its targets.
struct Row {
    name: &'static str,
    /// The maximum for each group; 0 if there is no target.
    targets: [u64; Group::NUMBER],
    /// The maximum numbers of reads, writes, and reads of counters.
    accesses: [Option<Accesses>; Group::NUMBER],
}

/// Reads, writes, and reads of counters.
pub(super) type Accesses = [u64; 3];

/// Figures in the order of the table. The columns: Skylake and Zen 4; K8, Zen 2 and Core Duo; Cortex-A57; POWER9; 7450.
const ALL: &[Row] = &[
    row("*.read.narrow.1", [11, 8, 20, 8, 8]).sparc(10).mips(8).riscv(10, 10),
    row("*.read.narrow.4", [32, 32, 80, 32, 32]),
    row("*.read.wide.1", [18, 18, 30, 18, 18]).p5(30).sparc(24),
    row("*.read.wide.4", [54, 54, 110, 54, 54]),
    row("*.read.checked.1", NONE),
    row("aarch64.read.constant.1", [0, 0, 6, 0, 0]),
    row("*.interrupt.1", [199, 220, 150, 205, 450]).p6(260).netburst(300).sparc(250).mips(250).riscv(250, 250),
    row("*.interrupt.4", [439, 450, 300, 310, 900]),
    row("*.start_stop.first", [141, 200, 120, 190, 400]).global([1, 2, 0]).single([0, 2, 1]).narrow([0, 3, 1]),
    row("*.start_stop.again", [141, 200, 120, 190, 400])
        .global([1, 2, 0])
        .single([0, 2, 1])
        .book3s([0, 2, 2])
        .narrow([0, 2, 1]),
    row("*.open_close.1", NONE),
    row("*.open_close.4", NONE),
    row("*.switch.none", [4; Group::COLUMNS]),
    row("*.switch.same.1", [0, 180, 180, 280, 350]).everywhere([0, 2, 1]),
    row("*.switch.same.4", [240, 300, 260, 400, 520]).everywhere([0, 2, 4]).single([0, 8, 4]),
    row("*.switch.same.8", NONE).global([0, 2, 8]),
    row("*.switch.alternate.1", [240, 240, 220, 340, 450])
        .netburst(400)
        .sparc(200)
        .mips(180)
        .riscv(200, 200)
        .everywhere([0, 2, 1])
        .book3s([0, 3, 1]),
    row("*.switch.alternate.4", [430, 470, 380, 560, 750])
        .global([0, 4, 4])
        .single([0, 8, 4])
        .book3s([0, 6, 4])
        .narrow([0, 2, 4]),
    row("*.switch.alternate.8", [680, 0, 0, 0, 0]).global([0, 8, 8]),
    row("*.switch.disjoint.4", [460, 0, 0, 0, 0])
        .global([0, 6, 4])
        .single([0, 8, 4])
        .book3s([0, 3, 4])
        .narrow([0, 3, 4]),
    row("*.switch.beside.1", BESIDE),
    row("*.switch.beside.4", BESIDE),
    row("*.switch.beside.8", BESIDE),
    row("*.rotate", [570, 0, 0, 0, 0]).global([0, 4, 4]).single([0, 8, 4]).book3s([0, 6, 4]).narrow([0, 2, 4]),
    row("*.user_read.1", [16, 16, 0, 0, 0]),
    row("*.user_read.2", [26, 26, 0, 0, 0]),
    row("*.user_read.4", [46, 46, 0, 0, 0]),
    row("x86.detect_enum.read", [4, 4, 0, 0, 0]),
    row("ppc32.detect_enum.read", NONE),
    row("sparc.detect_enum.read", NONE),
    row("*.names.hit", NONE),
    row("*.names.miss", NONE),
    row("*.parse.4", NONE),
    row("*.parse_place.4", NONE),
    row("*.place.easy.4", [120, 120, 0, 0, 0]),
    row("*.place.easy.8", [200, 200, 0, 0, 0]),
    row("*.place.chain.8", [900, 900, 0, 0, 0]),
    row("*.place.infeasible.8", [900, 900, 0, 0, 0]),
    row("*.place.tight.8", [700, 700, 0, 0, 0]),
    row("*.place.open", [50_000; Group::COLUMNS]),
    row("*.place.switch", [2000; Group::COLUMNS]),
    row("stats.accumulate", [25, 25, 0, 0, 0]),
    row("perf_data.hexadecimal.byte", [20, 20, 0, 0, 0]),
    row("*.bytes.unit.0", NONE),
    row("*.bytes.unit.1024", NONE),
    row("*.bytes.context.1", [256; Group::COLUMNS]),
    row("*.bytes.context.4", [640; Group::COLUMNS]),
    row("*.bytes.context.8", [1152; Group::COLUMNS]),
    row("*.bytes.names", NONE),
    row("*.bytes.names.libpfm", NONE),
    row("*.bytes.names.event", [20; Group::COLUMNS]),
    row("*.bytes.names.typed", NONE),
    row("x86.text.counting", [20_480, 20_480, 0, 0, 0]),
    row("x86.text.sampling", [20_480, 20_480, 0, 0, 0]),
    row("x86.text.detected", [61_440, 61_440, 0, 0, 0]),
    row("x86.virt.rdmsr", [60, 60, 0, 0, 0]),
    row("x86.virt.wrmsr", [60, 60, 0, 0, 0]),
    row("x86.virt.rdpmc", [60, 60, 0, 0, 0]),
    row("aarch64.virt.mrs", [0, 0, 60, 0, 0]),
    row("aarch64.virt.msr", [0, 0, 60, 0, 0]),
    row("x86.virt.advance.1", [38, 38, 0, 0, 0]),
    row("x86.virt.advance.4", [62, 62, 0, 0, 0]),
    row("x86.virt.advance.8", [94, 94, 0, 0, 0]),
    row("x86.virt.until_overflow.1", [38, 38, 0, 0, 0]),
    row("x86.virt.until_overflow.4", [62, 62, 0, 0, 0]),
    row("x86.virt.until_overflow.8", [94, 94, 0, 0, 0]),
    row("x86.virt.advance.changed.1", NONE),
    row("x86.virt.advance.changed.4", NONE),
    row("x86.virt.advance.changed.8", NONE),
    row("x86.virt.pass_through.untouched.0", [20, 0, 0, 0, 0]),
    row("x86.virt.pass_through.untouched.4", [20, 0, 0, 0, 0]),
    row("x86.virt.pass_through.untouched.8", [20, 0, 0, 0, 0]),
    row("x86.virt.pass_through.touched.0", [20, 0, 0, 0, 0]),
    row("x86.virt.pass_through.touched.4", [150, 0, 0, 0, 0]),
    row("x86.virt.pass_through.touched.8", [250, 0, 0, 0, 0]),
    row("aarch64.virt.advance.1", [0, 0, 38, 0, 0]),
    row("aarch64.virt.advance.4", [0, 0, 62, 0, 0]),
    row("aarch64.virt.until_overflow.1", [0, 0, 38, 0, 0]),
    row("aarch64.virt.until_overflow.4", [0, 0, 62, 0, 0]),
    row("aarch64.virt.advance.changed.1", NONE),
    row("aarch64.virt.advance.changed.4", NONE),
];

const NONE: [u64; Group::COLUMNS] = [0; Group::COLUMNS];
/// The additional cost that is allowed for two threads that alternate beside a session.
const BESIDE: [u64; Group::COLUMNS] = [20, 40, 30, 60, 80];
/// The prefix of sizes of code, which no kernel measures.
const WEIGHED: &str = "x86.text.";

const fn row(name: &'static str, columns: [u64; Group::COLUMNS]) -> Row {
    let [global, single, arm, book3s, narrow] = columns;
    let targets = [global, single, arm, book3s, narrow, single, single, single, 0, 0, 0, 0, 0, 0];
    Row { name, targets, accesses: [None; Group::NUMBER] }
}

impl Row {
    /// Sets the accesses for units with one register, or one to start and one to stop, for all counters.
    const fn global(mut self, accesses: Accesses) -> Self {
        self.accesses[Group::Global as usize] = Some(accesses);
        self.accesses[Group::Arm as usize] = Some(accesses);
        self
    }

    /// Sets the accesses for x86's units with and without one enable register, PMUv3, POWER, PowerPC of 32 bits, LoongArch, and
    /// RISC-V in machine mode. The other groups have no target.
    const fn everywhere(self, accesses: Accesses) -> Self {
        self.global(accesses).single(accesses).book3s(accesses).narrow(accesses).machine(accesses)
    }

    /// Sets the accesses for POWER.
    const fn book3s(mut self, accesses: Accesses) -> Self {
        self.accesses[Group::Book3s as usize] = Some(accesses);
        self
    }

    /// Sets the accesses for PowerPC of 32 bits.
    const fn narrow(mut self, accesses: Accesses) -> Self {
        self.accesses[Group::Narrow as usize] = Some(accesses);
        self
    }

    /// Sets the accesses for RISC-V in machine mode.
    const fn machine(mut self, accesses: Accesses) -> Self {
        self.accesses[Group::Riscv as usize] = Some(accesses);
        self
    }

    /// Sets the target for the P6 family.
    const fn p6(mut self, target: u64) -> Self {
        self.targets[Group::P6 as usize] = target;
        self
    }

    /// Sets the target for the Pentium 4.
    const fn netburst(mut self, target: u64) -> Self {
        self.targets[Group::Netburst as usize] = target;
        self
    }

    /// Sets the target for the Pentium.
    const fn p5(mut self, target: u64) -> Self {
        self.targets[Group::P5 as usize] = target;
        self
    }

    /// Sets the target for SPARC V9.
    const fn sparc(mut self, target: u64) -> Self {
        self.targets[Group::Sparc as usize] = target;
        self
    }

    /// Sets the target for MIPS.
    const fn mips(mut self, target: u64) -> Self {
        self.targets[Group::Mips as usize] = target;
        self
    }

    /// Sets the targets for RISC-V of 64 bits in machine mode, and in supervisor mode by delegation.
    const fn riscv(mut self, machine: u64, delegated: u64) -> Self {
        self.targets[Group::Riscv as usize] = machine;
        self.targets[Group::Delegated as usize] = delegated;
        self
    }

    /// Sets the accesses for units whose counters are started and stopped one by one: x86's others, and LoongArch's.
    const fn single(mut self, accesses: Accesses) -> Self {
        self.accesses[Group::Single as usize] = Some(accesses);
        self.accesses[Group::LoongArch as usize] = Some(accesses);
        self
    }

    /// Returns the figure's name on this processor, or `None` if it is another kernel's.
    fn name_on(&self, identity: Identity) -> Option<String> {
        let (first, rest) = self.name.split_once('.')?;
        match first {
            "*" => Some(format!("{}.{rest}", identity.word())),
            _ if Kernel::value_variants().iter().any(|kernel| kernel.figures() == first) => {
                (first == identity.word()).then(|| self.name.to_owned())
            }
            _ => Some(self.name.to_owned()),
        }
    }
}

fn find(identity: Identity, name: &str) -> Option<(usize, &'static Row)> {
    ALL.iter().enumerate().find(|(_, row)| row.name_on(identity).as_deref() == Some(name))
}

/// Returns true if there is such a figure.
pub(super) fn has(identity: Identity, name: &str) -> bool {
    find(identity, name).is_some()
}

/// Returns the position of a figure in the table.
pub(super) fn rank(identity: Identity, name: &str) -> usize {
    find(identity, name).map_or(ALL.len(), |(position, _)| position)
}

/// Returns a figure's target, if it has one.
pub(super) fn target(identity: Identity, name: &str) -> Option<u64> {
    let (_, row) = find(identity, name)?;
    Some(row.targets[Group::of(identity) as usize]).filter(|target| *target > 0)
}

/// Returns the target of a figure's accesses, if there is one.
pub(super) fn accesses(identity: Identity, name: &str) -> Option<Accesses> {
    let (_, row) = find(identity, name)?;
    row.accesses[Group::of(identity) as usize]
}

/// Returns the names of all figures that are measured on a processor.
pub(super) fn measured_by(identity: Identity) -> impl Iterator<Item = String> {
    ALL.iter().filter_map(move |row| row.name_on(identity)).filter(|name| !name.starts_with(WEIGHED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_figure_is_listed_twice() {
        for &identity in Identity::value_variants() {
            let names: Vec<_> = ALL.iter().filter_map(|row| row.name_on(identity)).collect();
            assert!(names.iter().enumerate().all(|(position, name)| !names[..position].contains(name)), "{names:?}");
        }
    }

    #[test]
    fn a_figure_has_the_target_of_its_units_group() {
        let of = |identity: Identity| target(identity, &format!("{}.start_stop.again", identity.word()));
        let identities = [Identity::Zen4, Identity::Zen2, Identity::CortexA57, Identity::Power9, Identity::Ppc7450];
        assert_eq!(identities.map(of), [141, 200, 120, 190, 400].map(Some));
    }

    #[test]
    fn a_figure_of_one_kernel_is_no_other_kernels() {
        assert!(has(Identity::Skylake, "x86.virt.rdmsr") && !has(Identity::CortexA57, "x86.virt.rdmsr"));
        assert!(measured_by(Identity::Power9).all(|name| !name.starts_with("x86.") && !name.starts_with("*")));
    }
}
