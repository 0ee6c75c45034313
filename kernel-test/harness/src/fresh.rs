//! A static that is new in each test.

#![expect(unsafe_code, reason = "a static is written again")]

use core::cell::UnsafeCell;
use core::ops::Deref;
use core::ptr;

/// A value, and beside it what it was at first.
#[derive(Debug)]
pub struct Fresh<T> {
    value: UnsafeCell<T>,
    first: T,
}

// SAFETY: both values are shared as statics of their type would be; who changes one has promised to be alone.
unsafe impl<T: Sync> Sync for Fresh<T> {}

impl<T> Fresh<T> {
    /// Makes the static; both values are the same.
    pub const fn new(value: T, first: T) -> Self {
        Self { value: UnsafeCell::new(value), first }
    }

    /// Makes the value what it was at first. The one that is there is not dropped.
    ///
    /// # Safety
    /// Nobody uses the value, nor anything that it has lent, ever again.
    pub unsafe fn renew(&self) {
        // SAFETY: nobody refers to the value, and nobody has changed the first.
        unsafe { ptr::copy_nonoverlapping(&raw const self.first, self.value.get(), 1) };
    }
}

impl<T> Deref for Fresh<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: it changes only while nobody uses it.
        unsafe { &*self.value.get() }
    }
}
