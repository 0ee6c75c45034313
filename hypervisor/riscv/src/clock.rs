//! How many instructions the guest has retired, in each mode, by the counters of the machine's own unit; and when the host
//! leaves the guest, because a counter of the guest's is to overflow.
//!
//! Three counters are used, which the firmware programs: `cycle` counts in the guest's supervisor mode alone, and `instret` in
//! its user mode. An instruction takes a cycle in QEMU. A third one is preset, and interrupts. Outside the guest none of them
//! counts, so nothing needs to be subtracted.

use core::arch::asm;

use crate::calls::{CONFIGURE, PMU, START, STOP};
use crate::csr::{get, put};

/// Flags of the calls (the SBI, "Performance Monitoring Unit Extension"): a counter that is stopped loses its event, and one
/// that is started begins at a value.
const RESET: u64 = 1;
const SET_VALUE: u64 = 1;

/// Events: cycles, instructions.
const CYCLES: u64 = 1;
const INSTRUCTIONS: u64 = 2;

/// Counters, by their bits.
const CYCLE: u64 = 1 << 0;
const INSTRET: u64 = 1 << 2;
const DEADLINE: u64 = 1 << 3;

/// Flags that keep a counter from a mode: the guest's user mode and supervisor mode; and from every mode that is not the
/// guest's.
const NOT_USER: u64 = 1 << 3;
const NOT_SUPERVISOR: u64 = 1 << 4;
const GUEST_ALONE: u64 = 0b111 << 5;

/// The bit of the interrupt LCOFI in sie and sip.
const LCOFI: u64 = 1 << 13;

/// How many instructions take more than a century.
const NEVER: u64 = 1 << 62;

/// The clock.
pub struct Clock {
    supervisor: u64,
    user: u64,
    deadline: Option<Deadline>,
}

/// How many instructions the guest may retire, in which modes, before it is left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    filters: u64,
    left: u64,
}

impl Deadline {
    /// After so many instructions of the supervisor, or of user programs, whichever is first. `None` if that is never.
    ///
    /// What takes a century is never. A preset 2^63 events away would have QEMU lose this overflow, and the next one too (10.0,
    /// target/riscv/pmu.c: `riscv_pmu_setup_timer` leaves what is left over behind in `irq_overflow_left`).
    pub fn new(supervisor: Option<u64>, user: Option<u64>) -> Option<Self> {
        let without = |mode: Option<u64>, filter| if mode.is_none() { filter } else { 0 };
        let left = supervisor.into_iter().chain(user).min().filter(|&left| left < NEVER)?;
        Some(Self { filters: without(supervisor, NOT_SUPERVISOR) | without(user, NOT_USER), left })
    }

    /// What is left when the guest has retired these.
    fn after(self, [supervisor, user]: [u64; 2]) -> Self {
        let of = |retired, filter| if self.filters & filter == 0 { retired } else { 0 };
        Self { left: self.left.saturating_sub(of(supervisor, NOT_SUPERVISOR) + of(user, NOT_USER)), ..self }
    }
}

impl Clock {
    /// Starts it.
    pub fn new() -> Self {
        for (counter, event, filter) in [(CYCLE, CYCLES, NOT_USER), (INSTRET, INSTRUCTIONS, NOT_SUPERVISOR)] {
            must(call(CONFIGURE, counter, GUEST_ALONE | filter, event));
        }
        put!("csrs", "sie", LCOFI);
        Self { supervisor: get!("cycle"), user: get!("instret"), deadline: None }
    }

    /// Returns how many instructions the guest has retired since the last time, in supervisor mode and in user mode.
    pub fn retired(&mut self) -> [u64; 2] {
        let now = [get!("cycle"), get!("instret")];
        let retired = [now[0].wrapping_sub(self.supervisor), now[1].wrapping_sub(self.user)];
        [self.supervisor, self.user] = now;
        self.deadline = self.deadline.map(|deadline| deadline.after(retired));
        retired
    }

    /// Leaves the guest at this deadline, and at no other.
    pub fn leave_at(&mut self, deadline: Option<Deadline>) {
        if deadline == self.deadline {
            return;
        }
        let filters = |deadline: Option<Deadline>| deadline.map(|deadline| deadline.filters);
        let is_new = filters(deadline) != filters(self.deadline);
        if self.deadline.is_some() {
            // It has stopped already if the firmware says so.
            call(STOP, DEADLINE, if is_new { RESET } else { 0 }, 0);
        }
        put!("csrc", "sip", LCOFI);
        if let Some(Deadline { filters, left }) = deadline {
            if is_new {
                must(call(CONFIGURE, DEADLINE, GUEST_ALONE | filters, INSTRUCTIONS));
            }
            must(call(START, DEADLINE, SET_VALUE, left.wrapping_neg()));
        }
        self.deadline = deadline;
    }
}

fn must(error: i64) {
    assert!(error == 0, "the firmware answers {error}");
}

/// Makes a call for these counters. Returns the error.
fn call(function: u64, counters: u64, flags: u64, event_or_value: u64) -> i64 {
    let error: i64;
    // SAFETY: these calls change no memory, and the unit is the host's.
    unsafe {
        asm!(
            "ecall",
            inlateout("a0") 0_u64 => error,
            inlateout("a1") counters => _,
            in("a2") flags,
            in("a3") event_or_value,
            in("a4") 0,
            in("a5") 0,
            in("a6") function,
            in("a7") PMU,
            options(nostack),
        );
    }
    error
}
