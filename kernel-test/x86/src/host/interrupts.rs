//! When the guest takes an NMI: not while it handles one.
//!
//! A processor blocks NMIs from the delivery of one until the next IRET has retired, and holds at
//! most one that arrives meanwhile (Intel SDM volume 3, "Handling Multiple NMIs"). An NMI that is
//! injected at VMRUN under QEMU blocks nothing, so the host leaves the guest at its IRET; if
//! another NMI waits, it steps over the IRET and injects then.

use metal::vmcb::Event;

use super::processor::{Processor, Watch};

/// The guest's NMI input.
#[derive(Default)]
pub struct Interrupts {
    is_blocked: bool,
    is_pending: bool,
    is_stepping: bool,
    is_held: bool,
    taken: u64,
}

impl Interrupts {
    /// Somebody pulls the NMI wire.
    pub fn raise(&mut self) {
        self.is_pending = true;
    }

    /// Keeps every NMI back from now on.
    pub fn hold(&mut self) {
        self.is_held = true;
    }

    /// Lets through the NMI that was kept back, if there is one.
    pub fn release(&mut self) {
        self.is_held = false;
    }

    /// How many NMIs the guest has taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Would the guest take an NMI now?
    pub fn is_due(&self) -> bool {
        self.is_pending && !self.is_blocked && !self.is_stepping && !self.is_held
    }

    /// Injects the NMI that waits, if the guest may take one.
    pub fn deliver(&mut self, processor: &mut Processor) {
        if self.is_due() {
            (self.is_blocked, self.is_pending) = (true, false);
            self.taken += 1;
            processor.inject(Event::NMI);
            processor.watch_interrupt_return(Watch::On);
        }
    }

    /// The guest is about to execute an IRET.
    pub fn on_return(&mut self, processor: &mut Processor) {
        self.is_blocked = false;
        processor.watch_interrupt_return(Watch::Off);
        if self.is_pending {
            self.is_stepping = true;
            processor.step(Watch::On);
        }
    }

    /// The guest has executed that IRET.
    pub fn on_step(&mut self, processor: &mut Processor) {
        self.is_stepping = false;
        processor.step(Watch::Off);
    }
}
