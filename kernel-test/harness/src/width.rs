//! Two images from one source: what differs between registers of 64 bits and of 32.

/// The first where registers have 64 bits, the second where they have 32.
#[cfg(target_pointer_width = "64")]
#[macro_export]
macro_rules! by_width {
    ($wide:expr, $narrow:expr $(,)?) => {
        $wide
    };
}

/// The first where registers have 64 bits, the second where they have 32.
#[cfg(target_pointer_width = "32")]
#[macro_export]
macro_rules! by_width {
    ($wide:expr, $narrow:expr $(,)?) => {
        $narrow
    };
}
