//! The interrupts that the host makes pending in the guest.
//!
//! LCOFI is an interrupt of the guest's by hvien and hvip ("The RISC-V Advanced Interrupt Architecture", "Virtual interrupts for
//! VS level"): there it has a bit in sip and sie, which the guest clears and sets without a trap.

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::Capabilities;
use pmu::arch::riscv::hpm::sbi::{Address, Host};
use pmu::virt::{Device as _, Unconnected};

use crate::csr::{get, put};

/// The supervisor's software interrupt, timer and external interrupt, as the host has the guest's.
const SOFTWARE: u64 = 1 << 2;
const TIMER: u64 = 1 << 6;
const EXTERNAL: u64 = 1 << 10;
const OVERFLOW: u64 = 1 << Capabilities::INTERRUPT;

/// Gives the guest its interrupts.
pub fn open(unit: &Host<Unconnected>) {
    put!("csrw", "hideleg", SOFTWARE | TIMER | EXTERNAL);
    put!("csrw", "hvien", OVERFLOW);
    put!("csrw", "hvip", 0);
    // The guest's own sie decides whether it is taken.
    write(unit, Csr::SIE.setting());
}

/// Tells the unit whether the guest has cleared its interrupt.
pub fn before(unit: &Host<Unconnected>) {
    if get!("hvip") & OVERFLOW == 0 {
        write(unit, Csr::SIP.clearing());
    }
}

/// Makes the unit's interrupt pending in the guest, if it is. Returns true if it was not before.
pub fn after(unit: &Host<Unconnected>) -> bool {
    let is_new = is_pending(unit) && get!("hvip") & OVERFLOW == 0;
    if is_new {
        put!("csrs", "hvip", OVERFLOW);
    }
    is_new
}

/// The guest has sent itself an interrupt.
pub fn send() {
    put!("csrs", "hvip", SOFTWARE);
}

fn is_pending(unit: &Host<Unconnected>) -> bool {
    unit.try_read(Address::Csr(Csr::SIP)).is_ok_and(|pending| pending & OVERFLOW != 0)
}

fn write(unit: &Host<Unconnected>, at: Csr) {
    unit.try_write(Address::Csr(at), OVERFLOW).expect("a supervisor's unit has this register");
}
