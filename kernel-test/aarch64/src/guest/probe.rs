//! Registers that may not be allowed: an exception is an answer.

use core::arch::naked_asm;

use crate::trap::{self, Frame};

/// The access raised an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused;

/// What an access returns: the value, and 0 if it was allowed.
#[repr(C)]
struct Answer {
    value: u64,
    refused: u64,
}

impl From<Answer> for Result<u64, Refused> {
    fn from(answer: Answer) -> Self {
        if answer.refused == 0 { Ok(answer.value) } else { Err(Refused) }
    }
}

/// Makes a function of one access; its second instruction is the one that may be refused.
macro_rules! probe {
    ($(#[$attribute:meta])* $name:ident: $($access:literal)+) => {
        $(#[$attribute])*
        pub fn $name(value: u64) -> Result<u64, Refused> {
            #[unsafe(naked)]
            #[unsafe(link_section = ".text.probes")]
            extern "C" fn access(value: u64) -> Answer {
                naked_asm!("mov x1, #0", $($access),+, "ret")
            }
            access(value).into()
        }
    };
}

probe! {
    /// Reads PMEVCNTR0_EL0.
    read_counter_0: "mrs x0, pmevcntr0_el0"
}
probe! {
    /// Reads PMEVCNTR1_EL0.
    read_counter_1: "mrs x0, pmevcntr1_el0"
}
probe! {
    /// Writes PMEVCNTR0_EL0.
    write_counter_0: "msr pmevcntr0_el0, x0"
}

unsafe extern "C" {
    static probes_begin: u8;
    static probes_end: u8;
}

/// Was a probe refused? Then it goes on behind the access, and says so.
pub fn is_refused(frame: &mut Frame, syndrome: u64) -> bool {
    /// EC: an instruction that is undefined here; a trapped MSR or MRS.
    const CLASSES: [u64; 2] = [0x00, 0x18];
    let probes = &raw const probes_begin as u64..&raw const probes_end as u64;
    let is_refused = probes.contains(&frame.address) && CLASSES.contains(&trap::class(syndrome));
    if is_refused {
        frame.registers[1] = 1;
        frame.address += 4;
    }
    is_refused
}
