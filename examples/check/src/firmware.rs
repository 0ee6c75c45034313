//! The overflow interrupt, by the firmware's own interface for handlers: it is the firmware's again when the value is dropped.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use uefi::boot::{self, OpenProtocolAttributes, OpenProtocolParams, ScopedProtocol};
use uefi::{Result, Status, StatusExt};

use crate::machine::{ADDRESS, Controller, SOURCE};

/// A handler of the firmware's: it gets the interrupt's number and the registers of the interrupted code.
pub type Handler = unsafe extern "efiapi" fn(usize, *const u64);

/// The firmware's interface, for the handler.
static CONTROLLER: AtomicPtr<Controller> = AtomicPtr::new(ptr::null_mut());

/// The overflow interrupt, while this program handles it.
pub struct Interrupt(ScopedProtocol<Controller>);

impl Interrupt {
    /// Installs the handler.
    ///
    /// # Errors
    /// The firmware has no such interface, or has a handler of its own.
    pub fn install() -> Result<Self> {
        let params = OpenProtocolParams {
            handle: boot::get_handle_for_protocol::<Controller>()?,
            agent: boot::image_handle(),
            controller: None,
        };
        // SAFETY: the interface stays as long as the firmware does, and is used beside the firmware as it is meant to be.
        let controller = unsafe { boot::open_protocol::<Controller>(params, OpenProtocolAttributes::GetProtocol) }?;
        CONTROLLER.store(ptr::from_ref(&*controller).cast_mut(), Relaxed);
        controller.register(SOURCE, Some(handle)).to_result_with_val(|| Self(controller))
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        let status = self.0.register(SOURCE, None);
        assert_eq!(status, Status::SUCCESS, "the handler cannot be removed");
    }
}

unsafe extern "efiapi" fn handle(source: usize, context: *const u64) {
    // SAFETY: the firmware passes the registers as the UEFI specification lays them out.
    crate::on_overflow(unsafe { context.add(ADDRESS).read() });
    // SAFETY: it was stored before the handler was installed, and is not changed.
    if let Some(controller) = unsafe { CONTROLLER.load(Relaxed).as_ref() } {
        controller.end(source);
    }
}
