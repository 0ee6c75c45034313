//! The handlers of the drivers of PowerPC, SPARC, MIPS, LoongArch and RISC-V, compiled for the processor that the proof is made
//! on: what they reach of this library is the same. Their registers are words of memory.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::arch::loongarch::Register;
use pmu::arch::loongarch::la64::La64;
use pmu::arch::mips::Cp0;
use pmu::arch::mips::mipsxx::Mipsxx;
use pmu::arch::powerpc::book3s::Book3s;
use pmu::arch::powerpc::classic::Classic;
use pmu::arch::powerpc::embedded::Embedded;
use pmu::arch::powerpc::{Pmr, Spr};
use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::Hpm;
use pmu::arch::riscv::hpm::sbi::{Address, Sbi};
use pmu::arch::sparc::niagara::Niagara;
use pmu::arch::sparc::ultrasparc::UltraSparc;
use pmu::arch::sparc::{Asr, Detected, Half};
use pmu::driver::{Masked, Registers};
use pmu::{Interrupted, OneCpu, Unit};

/// A word for each number that a register can have, which the compiler knows nothing of.
#[unsafe(no_mangle)]
pub static WORDS: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];

fn word(number: u16) -> &'static AtomicU64 {
    &WORDS[usize::from(number & 1023)]
}

pub struct SprWords;
pub struct PmrWords;
pub struct AsrWords;
pub struct Cp0Words;
pub struct LoongArchWords;
pub struct CsrWords;
pub struct SbiWords;

/// The number of a register. All answers of the firmware are one word.
fn number_of(address: Address) -> u16 {
    match address {
        Address::Csr(at) => at.number(),
        Address::Call(_) => 1,
    }
}

macro_rules! in_words {
    ($($words:ident: $address:ident by $number:expr, $index:ident;)*) => { $(
        impl Registers for $words {
            type Address = $address;
            type Index = $index;
            type Kernel = OneCpu;

            fn kernel(&self) -> OneCpu {
                OneCpu
            }

            fn read(&self, at: $address) -> u64 {
                word($number(at).into()).load(Relaxed)
            }

            fn write(&self, at: $address, value: u64) {
                word($number(at).into()).store(value, Relaxed);
            }

            fn read_counter(&self, index: $index) -> u64 {
                word(index.number().into()).load(Relaxed)
            }

            fn ticks(&self) -> u64 {
                word(0).load(Relaxed)
            }

            fn mask(&self) -> Masked {
                Masked::from_bits(0)
            }

            fn unmask(&self, _: Masked) {}
        }
    )* };
}

in_words! {
    SprWords: Spr by Spr::number, Spr;
    PmrWords: Pmr by Pmr::number, Pmr;
    AsrWords: Asr by Asr::number, Half;
    Cp0Words: Cp0 by Cp0::number, Cp0;
    LoongArchWords: Register by Register::number, Register;
    CsrWords: Csr by Csr::number, Csr;
    SbiWords: Address by number_of, Csr;
}

/// Exported, as the other units are.
#[unsafe(no_mangle)]
pub static UNIT_OF_BOOK3S: Unit<Book3s<SprWords>, 64> = Unit::new();
#[unsafe(no_mangle)]
pub static UNIT_OF_CLASSIC: Unit<Classic<SprWords>, 64> = Unit::new();
#[unsafe(no_mangle)]
pub static UNIT_OF_EMBEDDED: Unit<Embedded<PmrWords>, 64> = Unit::new();

#[unsafe(no_mangle)]
pub static UNIT_OF_ULTRASPARC: Unit<UltraSparc<AsrWords>, 64> = Unit::new();
#[unsafe(no_mangle)]
pub static UNIT_OF_NIAGARA: Unit<Niagara<AsrWords>, 64> = Unit::new();
#[unsafe(no_mangle)]
pub static UNIT_OF_SPARC: Unit<Detected<AsrWords>, 64> = Unit::new();
#[unsafe(no_mangle)]
pub static UNIT_OF_MIPS: Unit<Mipsxx<Cp0Words>, 64> = Unit::new();
#[unsafe(no_mangle)]
pub static UNIT_OF_LOONGARCH: Unit<La64<LoongArchWords>, 64> = Unit::new();
#[unsafe(no_mangle)]
pub static UNIT_OF_HPM: Unit<Hpm<CsrWords>, 64> = Unit::new();
#[unsafe(no_mangle)]
pub static UNIT_OF_SBI: Unit<Sbi<SbiWords>, 64> = Unit::new();

pub extern "C" fn on_book3s(at: &Interrupted) -> bool {
    UNIT_OF_BOOK3S.on_overflow(*at).is_mine()
}

pub extern "C" fn on_classic(at: &Interrupted) -> bool {
    UNIT_OF_CLASSIC.on_overflow(*at).is_mine()
}

pub extern "C" fn on_embedded(at: &Interrupted) -> bool {
    UNIT_OF_EMBEDDED.on_overflow(*at).is_mine()
}

pub extern "C" fn on_ultrasparc(at: &Interrupted) -> bool {
    UNIT_OF_ULTRASPARC.on_overflow(*at).is_mine()
}

pub extern "C" fn on_niagara(at: &Interrupted) -> bool {
    UNIT_OF_NIAGARA.on_overflow(*at).is_mine()
}

pub extern "C" fn on_sparc(at: &Interrupted) -> bool {
    UNIT_OF_SPARC.on_overflow(*at).is_mine()
}

pub extern "C" fn on_mips(at: &Interrupted) -> bool {
    UNIT_OF_MIPS.on_overflow(*at).is_mine()
}

pub extern "C" fn on_loongarch(at: &Interrupted) -> bool {
    UNIT_OF_LOONGARCH.on_overflow(*at).is_mine()
}

pub extern "C" fn on_hpm(at: &Interrupted) -> bool {
    UNIT_OF_HPM.on_overflow(*at).is_mine()
}

pub extern "C" fn on_sbi(at: &Interrupted) -> bool {
    UNIT_OF_SBI.on_overflow(*at).is_mine()
}
