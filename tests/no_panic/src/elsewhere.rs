//! The handlers of the drivers of other instruction sets, compiled for the processor that the proof is made on: what they reach of this library is the same. Their registers are words of memory.

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

/// The number of a register. All answers of the firmware are one word.
fn number_of(address: Address) -> u16 {
    match address {
        Address::Csr(at) => at.number(),
        Address::Call(_) => 1,
    }
}

macro_rules! in_words {
    ($($words:ident: $address:ident by $number:expr, $index:ident;)*) => { $(
        pub struct $words;

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

/// What a handler without an entry of its own is: whether the interrupt was its unit's.
pub type Handler = extern "C" fn(&Interrupted) -> bool;

/// A unit for each driver, exported as the others are, and its handler.
macro_rules! handlers {
    ($($on:ident: $unit:ident, $driver:ty;)*) => {
        $(
            #[unsafe(no_mangle)]
            pub static $unit: Unit<$driver, 64> = Unit::new();

            extern "C" fn $on(at: &Interrupted) -> bool {
                $unit.on_overflow(*at).is_mine()
            }
        )*

        pub const HANDLERS: usize = [$(stringify!($on)),*].len();

        pub fn put(handlers: &mut [Option<Handler>; HANDLERS]) {
            *handlers = [$(Some($on)),*];
        }
    };
}

handlers! {
    on_book3s: UNIT_OF_BOOK3S, Book3s<SprWords>;
    on_classic: UNIT_OF_CLASSIC, Classic<SprWords>;
    on_embedded: UNIT_OF_EMBEDDED, Embedded<PmrWords>;
    on_ultrasparc: UNIT_OF_ULTRASPARC, UltraSparc<AsrWords>;
    on_niagara: UNIT_OF_NIAGARA, Niagara<AsrWords>;
    on_sparc: UNIT_OF_SPARC, Detected<AsrWords>;
    on_mips: UNIT_OF_MIPS, Mipsxx<Cp0Words>;
    on_loongarch: UNIT_OF_LOONGARCH, La64<LoongArchWords>;
    on_hpm: UNIT_OF_HPM, Hpm<CsrWords>;
    on_sbi: UNIT_OF_SBI, Sbi<SbiWords>;
}
