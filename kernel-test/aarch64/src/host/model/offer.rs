//! Instructions that QEMU's processor does not know, and the one that is shown to the kernel does: registers of later
//! units.
//!
//! They are UNDEFINED at EL1 and come to the kernel's own vector, which offers them to the host before it looks
//! itself. The exception has then overwritten what the last one left at EL1, and a handler that reads such a
//! register would not find its way back: the host keeps that, and puts it back. It sees it at every exit, of which
//! each handler has one before it can come to such a register: it acknowledges its interrupt.

use metal::{get, put, world};
use pmu::Mode;
use pmu::arch::aarch64::TrappedAccess;

use super::Machine;
use super::meter::Done;
use crate::trap;

/// EC of HVC, and of an instruction that is undefined.
const CALL: u64 = 0x16;
const UNDEFINED: u64 = 0;

/// What an exception leaves at EL1: ELR_EL1, SPSR_EL1, ESR_EL1.
#[derive(Clone, Copy, Default)]
pub(super) struct Left([u64; 3]);

impl Left {
    fn now() -> Self {
        Self([get!("elr_el1"), get!("spsr_el1"), get!("esr_el1")])
    }

    fn put_back(self) {
        let [address, state, syndrome] = self.0;
        put!("elr_el1", address);
        put!("spsr_el1", state);
        put!("esr_el1", syndrome);
    }
}

impl Machine<'_> {
    /// Has the kernel's last instruction been offered, or is it about to be? By the vector that it was left by.
    pub(super) fn is_offering(&self, vector: u64) -> bool {
        match vector {
            world::SYNCHRONOUS => is_offer(get!("esr_el2")),
            _ => self.is_at_offer(),
        }
    }

    /// Is the offer the kernel's next instruction?
    pub(super) fn is_at_offer(&self) -> bool {
        let table = get!("vbar_el1");
        [trap::FROM_THREAD, trap::FROM_KERNEL, trap::FROM_USER]
            .map(|vector| table + vector * trap::VECTOR)
            .contains(&self.world.address)
    }

    /// What the meter has of it that did not retire: the undefined instruction, if it came in this passage.
    pub(super) fn undone(&self, done: Done, was_at_offer: bool, vector: u64) -> Done {
        let is_undefined = trap::class(get!("esr_el1")) == UNDEFINED;
        match self.is_offering(vector) && !was_at_offer && is_undefined {
            true => done.without_one(mode_of(get!("spsr_el1"))),
            false => done,
        }
    }

    /// At an exit: what is at EL1 now is the kernel's, unless it is what is being offered.
    pub(super) fn keep_left(&mut self, vector: u64) {
        if !self.is_offering(vector) {
            self.left = Left::now();
        }
    }

    /// Answers an access that was offered; every other exception goes on behind the offer.
    pub(super) fn answer_offer(&mut self) {
        let Some(access) = offered() else { return };
        self.world.address = get!("elr_el1");
        self.world.state = get!("spsr_el1");
        self.left.put_back();
        self.access_unit(access);
    }
}

/// Is it the kernel's offer of an exception?
pub(super) fn is_offer(syndrome: u64) -> bool {
    trap::class(syndrome) == CALL && syndrome & 0xffff == trap::OFFER
}

fn offered() -> Option<TrappedAccess> {
    if trap::class(get!("esr_el1")) != UNDEFINED {
        return None;
    }
    let at = get!("elr_el1") as *const u32;
    // SAFETY: the processor fetched it from there; the image is in memory, and translation is off.
    TrappedAccess::from_instruction(unsafe { at.read_volatile() })
}

fn mode_of(state: u64) -> Mode {
    if state >> 2 & 0b11 == 0 { Mode::User } else { Mode::Kernel }
}
