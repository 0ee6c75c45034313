//! A reference of any size counts if it crosses the boundary that the manual names, and else not:
//! eight bytes on one processor are sixteen on another.

use core::arch::naked_asm;

use pmu::Event;
use pmu::virt::Kind;

use super::observed;
use crate::guest::events;
use crate::guest::unit::{self, Unit};
use crate::identity;
use crate::width::by_width;

/// As many places as a walk tries.
const PLACES: u64 = 64;

#[repr(C, align(64))]
struct Bytes([u8; PLACES as usize + 8]);

static UNIT: Unit<1> = Unit::new();

pub fn test() {
    match events::of(Kind::MisalignedReferences) {
        Some(event) => walk(event),
        None => observed::is_reported(0x0005),
    }
}

/// What the manuals name, written down a second time: BKDG 31116 for family 10h, 26094 and 42301
/// for the others of AMD's, the SDM's P6 family for Intel's.
fn boundary() -> u64 {
    match identity::presented().name {
        "family10h" => 16,
        "k8" | "family15h" | "core-duo" | "core2" | "pentium-ii" | "pentium-iii" | "pentium-m" => 8,
        other => panic!("{other} has the event, and nobody says what it counts"),
    }
}

fn walk(event: Event) {
    let boundary = boundary();
    let pmu = unit::claim(&UNIT);
    let mut bytes = Bytes([0; PLACES as usize + 8]);
    let begin = &raw mut bytes as u64;
    let walks: [(extern "C" fn(), u64, u64); 6] =
        [(bytes_1, 1, 1), (bytes_2, 2, 1), (bytes_4, 4, 1), (bytes_8, 8, 1), (stores, 8, 1), (both, 4, 2)];
    for (walk, size, references) in walks {
        let crossing = (0..PLACES).filter(|place| place / boundary != (place + size - 1) / boundary).count() as u64;
        assert_eq!(observed::count(&pmu, event, walk, begin), crossing * references, "{size} bytes");
    }
}

macro_rules! walks {
    ($($name:ident $instruction:expr,)*) => {$(
        #[unsafe(naked)]
        extern "C" fn $name() {
            naked_asm!(
                "mov ecx, {places}",
                "2:",
                $instruction,
                "inc edi",
                "dec ecx",
                "jnz 2b",
                "ret",
                places = const PLACES,
            )
        }
    )*};
}

walks! {
    bytes_1 "mov al, [edi]",
    bytes_2 "mov ax, [edi]",
    bytes_4 "mov eax, [edi]",
    bytes_8 by_width!("mov rax, [edi]", "fild qword ptr [edi]; fstp st(0)"),
    stores by_width!("mov [edi], rax", "fld1; fistp qword ptr [edi]"),
    both "add [edi], eax",
}
