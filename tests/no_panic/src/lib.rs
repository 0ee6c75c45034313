//! Stand-in until the driver is here.
#![no_std]
#[unsafe(no_mangle)]
pub extern "C" fn overflow_handler(ip: u64, _cs: u64) {
    #[cfg(feature = "bad")]
    if ip == 5 {
        panic!("control")
    }
    let _ = ip;
}

unsafe extern "C" {
    fn a_panic_is_reachable_from_the_interrupt() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { a_panic_is_reachable_from_the_interrupt() }
}
