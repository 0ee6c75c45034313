//! The guest's Count and Compare: a clock that advances by one an instruction, and the line that it raises.
//!
//! "MIPS32 Architecture For Programmers, volume III", "Compare Register": the interrupt is there from the moment at which
//! both are equal until Compare is written.

/// Count, and when it reaches Compare, in instructions of the guest.
#[derive(Default)]
pub struct Timer {
    /// What Count read at the beginning.
    base: u32,
    due: Option<u64>,
}

impl Timer {
    /// Count, at this time.
    pub fn count(&self, now: u64) -> u32 {
        self.base.wrapping_add(now as u32)
    }

    /// Count is written. What Compare was written for stays.
    pub fn set_count(&mut self, value: u32, now: u64) {
        self.base = value.wrapping_sub(now as u32);
    }

    /// Compare is written: the line falls, and rises when Count gets there.
    pub fn set_compare(&mut self, value: u32, now: u64) {
        self.due = Some(now + u64::from(value.wrapping_sub(self.count(now))));
    }

    /// When the line will rise, if it is not up.
    pub fn awaited(&self, now: u64) -> Option<u64> {
        self.due.filter(|&due| due > now)
    }

    /// Is the line up?
    pub fn asks(&self, now: u64) -> bool {
        self.due.is_some_and(|due| due <= now)
    }
}
