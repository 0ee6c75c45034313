//! The mutants, by the room that they are in.

use super::{Mutant, Tests};
use Tests::{Crate, Library};

const fn mutant(file: &'static str, from: &'static str, to: &'static str, tests: Tests) -> Mutant {
    Mutant { file, from, to, tests }
}

pub(super) const MUTANTS: &[Mutant] = &[
    // event
    mutant(
        "src/event/counter/width.rs",
        "(self.longest ^ self.flip).wrapping_sub",
        "self.longest.wrapping_sub",
        Library("event::counter"),
    ),
    mutant(
        "src/event/counter/width.rs",
        "to.wrapping_sub(from) & self.mask()",
        "to.wrapping_sub(from)",
        Library("event::counter"),
    ),
    mutant("src/event/set.rs", ".take(later)", ".take(later + 1)", Library("event::set")),
    // sync
    mutant(
        "src/sync/word/halves.rs",
        "(marked | 1 << (state & 3)).trailing_ones()",
        "marked.trailing_ones()",
        Library("sync"),
    ),
    // placement
    mutant("src/placement/matching.rs", "self.open &= !(1 << counter);", "", Crate("measuring", "placement")),
    mutant(
        "src/placement/search.rs",
        "least > reached.count_ones()",
        "least >= reached.count_ones()",
        Crate("measuring", "placement"),
    ),
    mutant(
        "src/placement/search.rs",
        "self.live &= !self.table.way(decision.way.into()).clashes;",
        "",
        Crate("measuring", "placement"),
    ),
    // unit
    mutant(
        "src/unit/counting/overflow.rs",
        "self.end_if_once(counter, label);",
        "",
        Crate("every_x86_driver", "skylake::"),
    ),
    mutant("src/unit/counting/overflow.rs", "driver.acknowledge(image, overflowed);", "", Crate("traces", "intel")),
    mutant("src/unit/counting/overflow.rs", "writer.publish();", "", Crate("every_x86_driver", "skylake::")),
    mutant(
        "src/unit/counting/running.rs",
        "self.driver.run(self.image(), armed.without(ended));",
        "self.driver.run(self.image(), armed);",
        Crate("every_x86_driver", "skylake::"),
    ),
    mutant(
        "src/unit/counting/running.rs",
        "counting.expected.take_back(pending.len() - settled.len());",
        "",
        Crate("every_x86_driver", "zen_2::"),
    ),
    mutant(
        "src/unit/counting/period.rs",
        "(actual, actual.wrapping_sub(left.count()))",
        "(actual, 0)",
        Crate("every_x86_driver", "pentium_iii::"),
    ),
    mutant(
        "src/unit/counting/expected.rs",
        "overflowed.len() - 1",
        "overflowed.len()",
        Crate("every_x86_driver", "zen_2::"),
    ),
    mutant(
        "src/unit/ownership/home.rs",
        "(is_awake(now) && Claim(now).is_of(cpu))",
        "is_awake(now)",
        Library("unit::ownership::home"),
    ),
    mutant(
        "src/unit/residency/freeing.rs",
        "self.shared.counting.end(residency.dropped());",
        "",
        Crate("every_x86_driver", "skylake::"),
    ),
    mutant(
        "src/unit/counting/running.rs",
        "self.shared.counting.expected.expect(driver.late(), overflows, || driver.registers().ticks());",
        "",
        Crate("every_x86_driver", "skylake::a_late"),
    ),
    mutant(
        "src/unit/residency/lending.rs",
        "description.general.or(description.fixed).without(shown)",
        "description.general.without(shown)",
        Crate("lending", "left_in_any_counter"),
    ),
    // measure
    mutant("src/virt/mediated.rs", "self.unit.pmu.driver().rearm();", "", Crate("virtualising", "mediated")),
    mutant(
        "src/measure/context/control.rs",
        "entry.count = u64::MAX",
        "entry.count = 0",
        Crate("every_x86_driver", "skylake::"),
    ),
    mutant(
        "src/measure/context/switch.rs",
        "self.waited = self.waited.wrapping_add(time);",
        "",
        Crate("every_x86_driver", "skylake::"),
    ),
    mutant("src/measure/multiplex.rs", "*before = now;", "", Crate("every_x86_driver", "skylake::")),
    mutant("src/measure/multiplex.rs", "u128::from(self.running / 2)", "0", Crate("results", "statistics")),
    // sample
    mutant(
        "src/sample/ring.rs",
        "Some(entry) if self.head as usize != self.full => {",
        "Some(entry) => {",
        Crate("every_x86_driver", "skylake::"),
    ),
    mutant(
        "src/sample/ring.rs",
        "self.reading.swap(true, AcqRel)",
        "self.reading.load(Acquire)",
        Library("sample::ring"),
    ),
    // stats
    mutant("src/stats/turns.rs", "u128::from(turns.saturating_sub(1))", "u128::from(turns)", Library("stats::turns")),
    mutant("src/stats/robust.rs", ".div_ceil(4)", ".div_euclid(4)", Library("stats::robust")),
    // naming
    mutant("src/naming/native.rs", "|term| term.factor < 0", "|term| term.factor > 0", Crate("names", "generic")),
    // result
    mutant(
        "src/result/profile.rs",
        "symbol.start <= place.address",
        "symbol.start < place.address",
        Library("result::profile"),
    ),
    // virt
    mutant("src/virt/table.rs", "self.stale.set(self.stale.get().or(counters));", "", Crate("x86_devices", "intel")),
    mutant(
        "src/virt/line.rs",
        "self.is_masked.set(before.bits() != 0);",
        "self.is_masked.set(false);",
        Library("virt::line"),
    ),
    mutant(
        "src/virt/filter.rs",
        "self.counters.contains(counter) && selects",
        "selects",
        Crate("virtualising", "filters"),
    ),
    mutant(
        "src/virt/line.rs",
        "(true, false) => self.withdraw(),",
        "(true, false) => {}",
        Crate("virtualising", "masking"),
    ),
    mutant(
        "src/virt/table.rs",
        "let modes = self.modes_of(id);",
        "let modes = self.decode(id).modes;",
        Crate("every_x86_driver", "skylake::"),
    ),
    mutant("src/virt/rate.rs", "None => self.is_kept.set(true),", "None => {}", Crate("virtualising", "rates")),
    // drivers
    mutant(
        "arch/x86/intel/driver.rs",
        "counters.bits() | self.frozen",
        "counters.bits()",
        Crate("x86_drivers", "intel"),
    ),
    mutant("arch/x86/amd/driver.rs", "image.with_seconds(exactly).bits()", "exactly.bits()", Crate("traces", "amd")),
    mutant(
        "arch/x86/amd/driver.rs",
        "self.write_counter(second, start >> Capabilities::WIDTH.bits());",
        "",
        Crate("every_x86_driver", "zen_4_pairs::"),
    ),
    mutant(
        "arch/x86/p6/driver.rs",
        "remaining.count().clamp(LEAST, Capabilities::LONGEST)",
        "remaining.count().min(Capabilities::LONGEST)",
        Crate("x86_drivers", "p6"),
    ),
    mutant("arch/x86/p5/driver.rs", "raw & Capabilities::WIDTH.mask()", "raw", Crate("x86_drivers", "p5")),
    mutant("arch/x86/netburst/driver.rs", "exactly.and(self.ours)", "exactly", Crate("x86_drivers", "netburst")),
    mutant(
        "arch/aarch64/pmuv3/driver.rs",
        "self.registers.write(SystemRegister::ENABLE_CLEAR, stopped.bits());",
        "",
        Crate("every_risc_driver", "neoverse_n2::"),
    ),
    mutant(
        "arch/powerpc/classic/driver.rs",
        "self.registers.write(Spr::CLASSIC_MMCR2, need.extension().into());",
        "",
        Crate("traces", "classic"),
    ),
    mutant("arch/powerpc/book3s/driver.rs", "image.alerted.set(0);", "", Crate("risc_drivers", "power64")),
    mutant(
        "arch/sparc/ultrasparc/driver.rs",
        "Pcr::selecting(half, parking(half))",
        "Pcr::selecting(half, 0)",
        Crate("risc_drivers", "ultrasparc"),
    ),
    mutant("arch/sparc/niagara/driver.rs", " | Pcr::HOLD.bits()", "", Crate("risc_drivers", "niagara")),
    mutant(
        "src/family/image.rs",
        "self.set_running(before.or(exactly));",
        "",
        Crate("every_risc_driver", "mips_34k::"),
    ),
    mutant(
        "arch/loongarch/la64/driver.rs",
        "if started.contains(counter) { image.selection(counter) } else { 0 }",
        "image.selection(counter)",
        Crate("loongarch", "trace"),
    ),
    mutant(
        "arch/riscv/hpm/ctr/driver.rs",
        "self.registers.write(Register::Sctrstatus, status & !FROZEN);",
        "",
        Crate("risc_drivers", "riscv_records"),
    ),
    mutant(
        "arch/riscv/hpm/driver.rs",
        "self.registers.write(inhibit, before | register.bit());",
        "",
        Crate("traces", "riscv"),
    ),
    mutant(
        "arch/riscv/hpm/sbi/asked.rs",
        "answered.filter(|&counter| left.contains(counter))",
        "answered",
        Crate("risc_drivers", "riscv_lying"),
    ),
    // devices
    mutant(
        "arch/riscv/hpm/sbi/device/snapshot.rs",
        "ok_or(SbiError::NoSharedMemory)? & !(1 << at);",
        "ok_or(SbiError::NoSharedMemory)?;",
        Crate("virtualising", "riscv_memory"),
    ),
    mutant(
        "arch/x86/intel/device/counting.rs",
        "true if status.contains(GlobalStatus::COUNTERS_FROZEN) => CounterSet::EMPTY,",
        "",
        Crate("x86_devices", "freez"),
    ),
    mutant(
        "arch/mips/mipsxx/device/counting.rs",
        "_ if self.exception.get() => PerfCtl::EXCEPTION,",
        "",
        Crate("risc_drivers", "mips"),
    ),
    // access and entry
    mutant(
        "arch/x86/entry/wide.rs",
        "\"push r11\",",
        "\"push r10\",",
        Tests::Kernel(crate::identity::Identity::Skylake, "every_register_survives"),
    ),
    mutant(
        "arch/aarch64/entry.rs",
        "\"ldp x16, x17, [sp, #128]\",",
        "",
        Tests::Kernel(crate::identity::Identity::CortexA57, "every_register_survives"),
    ),
];
