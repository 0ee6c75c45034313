//! The guest's decrementer: a clock that counts down by one an instruction, and asks for an exception
//! when it is used up.
//!
//! Power ISA Book III, "Decrementer": the exception is there from the moment at which the register would
//! become negative until a processor takes it, or until something else is written to the register.

/// When the decrementer's exception comes, in instructions of the guest.
#[derive(Default)]
pub struct Decrementer(Option<u64>);

impl Decrementer {
    /// This was written to the register, at this time.
    pub fn write(&mut self, value: usize, now: u64) {
        self.0 = Some(now + value as u64);
    }

    /// When its exception will come, if it has not come yet.
    pub fn awaited(&self, now: u64) -> Option<u64> {
        self.0.filter(|&due| due > now)
    }

    /// Does it ask for an exception now?
    pub fn asks(&self, now: u64) -> bool {
        self.0.is_some_and(|due| due <= now)
    }

    /// The guest takes it.
    pub fn take(&mut self) {
        self.0 = None;
    }
}
