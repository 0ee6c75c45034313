//! QEMU's panic device, by which a machine ends that has no better way.
//!
//! QEMU's specification "PVPANIC DEVICE".

use harness::Verdict;

use super::pci;

/// Vendor and device, as configuration space begins.
const RED_HATS_PANIC_DEVICE: u32 = 0x0011_1b36;

/// Is it this device?
pub fn is_it(id: u32, _class: u32) -> bool {
    id == RED_HATS_PANIC_DEVICE
}

/// Ends the machine by the device that was placed here.
pub fn exit(place: usize, verdict: Verdict) -> ! {
    /// Its events: the guest has crashed; it has shut down.
    const CRASHED: u8 = 1 << 0;
    const SHUT_DOWN: u8 = 1 << 2;
    pci::write_byte(place, if verdict == Verdict::Passed { SHUT_DOWN } else { CRASHED });
    loop {
        core::hint::spin_loop();
    }
}
