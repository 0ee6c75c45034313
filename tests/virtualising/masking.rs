//! What every unit in software must do with an overflow while its driver keeps ordinary interrupts off.

use std::cell::Cell;

use pmu::arch::aarch64::{SystemRegister, pmuv3};
use pmu::arch::loongarch::{Register, la64};
use pmu::arch::mips::{Cp0, mipsxx};
use pmu::arch::powerpc::{Pmr, Spr, book3s, classic, embedded};
use pmu::arch::riscv::hpm::sbi::{Address, Host, NoMemory};
use pmu::arch::riscv::{Csr, hpm};
use pmu::arch::sparc::{Asr, niagara, ultrasparc};
use pmu::arch::x86::netburst::{Cccr, Escr, EscrId};
use pmu::arch::x86::{Block, Msr, Window, amd, intel, netburst, p6};
use pmu::driver::{Masked, Recorder, Registers, WithKernel};
use pmu::virt::{Delivery, Device, Kinds, Strict, Work};
use pmu::{CounterId, CpuId, Kernel, Mode};

use crate::support::line::Line;

fn line() -> &'static Line {
    Box::leak(Box::default())
}

/// A unit that is to interrupt at the next instruction, and its line.
struct Processor<D> {
    unit: D,
    line: &'static Line,
    /// Clears the overflow by a write.
    clear: fn(&D),
}

impl<D: Device + Registers> Processor<D> {
    fn overflow(&self) {
        self.unit.advance(&Work::instructions(Mode::Kernel, 1));
    }

    fn interrupts(&self) -> u64 {
        self.line.rises()
    }
}

/// A function that makes a family's unit, one instruction before its overflow.
macro_rules! units {
    ($($name:ident: $family:ident, $identity:ident, [$($at:expr => $value:expr),* $(,)?]
        $(, cleared by $cleared:expr => $without:expr)?;)*) => { $(
        fn $name(delivery: Option<Delivery>) -> Processor<$family::Device<&'static Line>> {
            let line = line();
            let unit = $family::Device::new(&$family::Identity::$identity, Kinds::CLOCK, line);
            let unit = match delivery {
                Some(delivery) => unit.with_delivery(delivery),
                None => unit,
            };
            $(unit.try_write($at.unwrap(), $value).unwrap();)*
            Processor { unit, line, clear: |_unit| { $(_unit.try_write($cleared, $without).unwrap();)? } }
        }
    )* };
}

/// Instructions in both modes, with the interrupt, on either vendor's x86.
const SELECT: u64 = 0x00C0 | 1 << 22 | 1 << 20 | 1 << 17 | 1 << 16;
/// One instruction before a PowerPC counter is negative.
const LAST: u64 = (1 << 31) - 1;

units! {
    skylake: intel, SKYLAKE, [Msr::select(0) => SELECT, Msr::counter(Window::Narrow, 0) => u64::MAX];
    zen_2: amd, ZEN_2, [Msr::core_select(Block::Core, 0) => SELECT, Msr::core_counter(Block::Core, 0) => u64::MAX];
    cortex_a57: pmuv3, CORTEX_A57, [
        SystemRegister::select(0) => 0x0008,
        SystemRegister::counter(0) => u64::from(u32::MAX),
        Some(SystemRegister::INTERRUPT_SET) => 1,
        Some(SystemRegister::ENABLE_SET) => 1,
        Some(SystemRegister::CONTROL) => 1,
    ], cleared by SystemRegister::OVERFLOW_CLEAR => 1;
    power9: book3s, POWER9, [
        Spr::from_number(798) => 0x02 << 24,
        Some(Spr::pmc(CounterId::ZERO)) => LAST,
        Spr::from_number(795) => 1 << 26 | 1 << 15,
    ], cleared by Spr::from_number(795).unwrap() => 0;
    ppc750: classic, P750, [Some(Spr::CLASSIC_PMCS[0]) => LAST, Spr::from_number(952) => 2 << 6 | 1 << 15 | 1 << 26];
    e500: embedded, E500_V2, [
        Pmr::counter(1) => LAST,
        Pmr::local(1) => 2 << 16 | 1 << 26,
        Pmr::from_number(400) => 1 << 30,
    ], cleared by Pmr::counter(1).unwrap() => 0;
    ultrasparc_iii: ultrasparc, III, [Some(Asr::Pic) => u64::from(u32::MAX), Some(Asr::Pcr) => 1 << 4 | 0x1C << 11 | 1 << 1];
    pentium_4: netburst, PENTIUM_4, [
        Some(EscrId::Fsb0.msr()) => (Escr::of(0x13, 1) | Escr::T0_USER | Escr::T0_KERNEL).bits(),
        Some(Cccr::counter_msr(CounterId::ZERO)) => (1 << 40) - 1,
        Some(Cccr::msr(CounterId::ZERO)) =>
            (Cccr::ENABLE | Cccr::select(6) | Cccr::active(3) | Cccr::INTERRUPT_T0).bits(),
    ], cleared by Cccr::msr(CounterId::ZERO) => 0;
    t1: niagara, T1, [Some(Asr::Pic) => u64::MAX, Some(Asr::Pcr) => 1 << 1];
    t2: niagara, T2, [Some(Asr::Pic) => u64::MAX - 15, Some(Asr::Pcr) => 0x2FD << 6 | 1 << 4 | 1 << 1],
        cleared by Asr::Pcr => 0;
    pentium_iii: p6, PENTIUM_III, [Msr::select(0) => SELECT, Msr::counter(Window::Narrow, 0) => u64::MAX];
    m34k: mipsxx, M34K, [Cp0::counter(0) => LAST, Cp0::control(0) => 1 << 5 | 1 << 4 | 1 << 1],
        cleared by Cp0::counter(0).unwrap() => 0;
    loongson_3a6000: la64, LOONGSON_3A6000, [Register::counter(0) => (1 << 63) - 1, Register::control(0) => 0x11_0001],
        cleared by Register::control(0).unwrap() => 0;
    rv64: hpm, RV64, [Csr::counter(3) => u64::MAX, Csr::select(3) => 2, Some(Csr::MIE.setting()) => 1 << hpm::Capabilities::INTERRUPT],
        cleared by Csr::MIP.clearing() => 1 << hpm::Capabilities::INTERRUPT;
    c906: hpm, C906, [
        Csr::counter(2) => u64::MAX, Some(Csr::MIE.setting()) => 1 << 17, Some(Csr::MCOUNTERINTEN) => 1 << 2,
    ], cleared by Csr::MCOUNTEROF.clearing() => 1 << 2;
    ax45: hpm, AX45, [
        Csr::counter(2) => u64::MAX,
        Some(Csr::MIE.setting()) => 1 << 18,
        Some(Csr::MCOUNTERINTEN_OF_ANDES) => 1 << 2,
    ], cleared by Csr::MCOUNTEROVF => 0;
}

/// A processor with a firmware, whose guest has mhpmcounter3 count instructions.
fn firmware(delivery: Option<Delivery>) -> Processor<Host<&'static Line>> {
    let line = line();
    let unit = Host::new(&hpm::Identity::RV64, Kinds::CLOCK, line);
    let unit = match delivery {
        Some(delivery) => unit.with_delivery(delivery),
        None => unit,
    };
    let call = |function, arguments| unit.call(0x50_4D55, function, arguments, &NoMemory);
    assert_eq!((call(2, [0, 8, 0, 2, 0, 0]), call(3, [3, 1, 1, u64::MAX, 0, 0])), (Ok(3), Ok(0)));
    unit.try_write(Address::Csr(Csr::SIE.setting()), 1 << hpm::Capabilities::INTERRUPT).unwrap();
    Processor {
        unit,
        line,
        clear: |unit| unit.try_write(Address::Csr(Csr::SIP.clearing()), 1 << hpm::Capabilities::INTERRUPT).unwrap(),
    }
}

fn an_ordinary_interrupt_waits_for_the_mask_to_be_lifted<D: Device + Registers>(
    make: fn(Option<Delivery>) -> Processor<D>,
) {
    let processor = make(Some(Delivery::Maskable));
    let outer = processor.unit.mask();
    let inner = processor.unit.mask();
    processor.overflow();
    processor.unit.unmask(inner);
    assert_eq!(processor.interrupts(), 0, "it is masked still");
    processor.unit.unmask(outer);
    assert_eq!(processor.interrupts(), 1);
    let again = processor.unit.mask();
    processor.unit.unmask(again);
    assert_eq!(processor.interrupts(), 1, "it was delivered before");
}

fn an_ordinary_interrupt_comes_at_once_while_nothing_is_masked<D: Device + Registers>(
    make: fn(Option<Delivery>) -> Processor<D>,
) {
    let processor = make(Some(Delivery::Maskable));
    let before = processor.unit.mask();
    processor.unit.unmask(before);
    processor.overflow();
    assert_eq!(processor.interrupts(), 1);
}

/// A line that is a level falls with its last reason.
fn an_overflow_that_is_cleared_by_a_write_withdraws_the_line<D: Device + Registers>(
    make: fn(Option<Delivery>) -> Processor<D>,
) {
    let processor = make(Some(Delivery::Maskable));
    processor.overflow();
    assert_eq!((processor.interrupts(), processor.line.falls()), (1, 0));
    (processor.clear)(&processor.unit);
    assert_eq!((processor.interrupts(), processor.line.falls()), (1, 1));
    let masked = make(Some(Delivery::Maskable));
    let before = masked.unit.mask();
    masked.overflow();
    (masked.clear)(&masked.unit);
    masked.unit.unmask(before);
    assert_eq!((masked.interrupts(), masked.line.falls()), (0, 0), "it is never delivered");
}

fn an_nmi_is_not_held_back<D: Device + Registers>(make: fn(Option<Delivery>) -> Processor<D>) {
    let processor = make(Some(Delivery::Nmi));
    let before = processor.unit.mask();
    processor.overflow();
    assert_eq!(processor.interrupts(), 1);
    processor.unit.unmask(before);
    assert_eq!(processor.interrupts(), 1);
}

/// Returns whether a new unit delivers an overflow while interrupts are masked.
fn comes_through<D: Device + Registers>(processor: Processor<D>) -> bool {
    let before = processor.unit.mask();
    processor.overflow();
    let came = processor.interrupts() == 1;
    processor.unit.unmask(before);
    came
}

/// Tests of these sentences on each of these units, in turn.
macro_rules! on_each_unit {
    ($units:tt $($sentence:ident)*) => { $(
        #[test]
        fn $sentence() {
            on_each_unit! { @$units $sentence }
        }
    )* };
    (@[$($name:ident)*] $sentence:ident) => { $(
        println!("{}", stringify!($name));
        super::$sentence(super::$name);
    )* };
}

mod every_unit {
    on_each_unit! { [
            skylake zen_2 pentium_4 pentium_iii cortex_a57 power9 ppc750 e500 ultrasparc_iii t1 t2 m34k loongson_3a6000
            rv64 c906 ax45 firmware
        ]
        an_ordinary_interrupt_waits_for_the_mask_to_be_lifted
        an_ordinary_interrupt_comes_at_once_while_nothing_is_masked
        an_nmi_is_not_held_back
    }
    on_each_unit! { [cortex_a57 power9 e500 t2 m34k loongson_3a6000 rv64 c906 ax45 firmware]
        an_overflow_that_is_cleared_by_a_write_withdraws_the_line
    }
}

#[test]
fn x86_units_interrupt_by_nmi_unless_told_otherwise_and_others_by_an_ordinary_interrupt() {
    let x86 = [comes_through(skylake(None)), comes_through(zen_2(None)), comes_through(pentium_4(None))];
    assert_eq!(x86, [true; 3]);
    let others = [comes_through(power9(None)), comes_through(ppc750(None)), comes_through(e500(None))];
    assert_eq!([comes_through(cortex_a57(None)), comes_through(firmware(None))], [false; 2]);
    assert_eq!(others, [false; 3]);
}

/// A kernel that counts the nesting of its own exclusion, and does not use the registers' mask.
#[derive(Clone, Copy)]
struct Counting {
    number: u32,
    depth: &'static Cell<u64>,
}

impl Kernel for Counting {
    fn cpu(&self) -> CpuId {
        CpuId(self.number)
    }

    fn enter<R: Registers + ?Sized>(&self, _: &R) -> Masked {
        Masked::from_bits(self.depth.replace(self.depth.get() + 1))
    }

    fn leave<R: Registers + ?Sized>(&self, _: &R, before: Masked) {
        self.depth.set(before.bits());
    }

    fn clock<R: Registers + ?Sized>(&self, _: &R) -> u64 {
        1000 + u64::from(self.number)
    }
}

#[test]
fn a_devices_kernel_is_cpu_0_with_its_own_mask_and_clock() {
    let processor = cortex_a57(None);
    let registers = Recorder::<_, 4>::new(&processor.unit);
    assert_eq!((registers.cpu(), registers.clock()), (CpuId(0), 0));
    let before = registers.enter();
    processor.overflow();
    assert_eq!(processor.interrupts(), 0);
    registers.leave(before);
    assert_eq!((processor.interrupts(), registers.clock()), (1, 1));
}

#[test]
fn a_test_has_several_kernels_in_one_process() {
    let units = [cortex_a57(None), cortex_a57(None)];
    let depths: [&'static Cell<u64>; 2] = [Box::leak(Box::default()), Box::leak(Box::default())];
    let cpus = [0, 1]
        .map(|number| WithKernel::new(&units[number].unit, Counting { number: number as u32, depth: depths[number] }));
    assert_eq!(cpus.each_ref().map(|cpu| cpu.cpu()), [CpuId(0), CpuId(1)]);
    assert_eq!(cpus.each_ref().map(|cpu| cpu.clock()), [1000, 1001]);
    let before = cpus[1].enter();
    assert_eq!((depths[0].get(), depths[1].get()), (0, 1));
    units[1].overflow();
    assert_eq!(units[1].interrupts(), 1, "this kernel does not mask");
    cpus[1].leave(before);
    assert_eq!(depths[1].get(), 0);
}

#[test]
fn a_strict_unit_has_its_devices_mask() {
    let Processor { unit, line, .. } = cortex_a57(None);
    let strict = Strict(unit);
    let before = strict.mask();
    strict.advance(&Work::instructions(Mode::Kernel, 1));
    assert_eq!(line.rises(), 0);
    strict.unmask(before);
    assert_eq!((line.rises(), strict.cpu()), (1, CpuId(0)));
}
