//! Plain data as words, of which a snapshot consists.

/// Plain data that is stored as words.
pub trait Words {
    /// Passes each word to `exchange`, and replaces it by what that returns. Returns false if a word cannot be
    /// replaced so, after which the contents are unspecified.
    fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool;
}

impl Words for u64 {
    fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
        *self = exchange(*self);
        true
    }
}

impl Words for u8 {
    fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
        u8::try_from(exchange((*self).into())).map(|word| *self = word).is_ok()
    }
}

impl Words for u32 {
    fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
        u32::try_from(exchange((*self).into())).map(|word| *self = word).is_ok()
    }
}

impl Words for bool {
    fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
        let word = exchange((*self).into());
        *self = word == 1;
        word <= 1
    }
}

/// Whether there is a value, and the value, which is that of `T::default` if there is none.
impl<T: Words + Copy + Default + PartialEq> Words for Option<T> {
    fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
        let (mut is_there, mut value) = (self.is_some(), self.unwrap_or_default());
        let fits = is_there.exchange(exchange) && value.exchange(exchange);
        *self = is_there.then_some(value);
        fits && (is_there || value == T::default())
    }
}

impl<T: Words, const N: usize> Words for [T; N] {
    fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
        self.iter_mut().all(|item| item.exchange(exchange))
    }
}

/// Implements [`Words`] for a struct, in the order of the fields that are given, which must be all.
macro_rules! words {
    ($type:ty { $($field:ident),+ $(,)? }) => {
        impl $crate::virt::Words for $type {
            fn exchange(&mut self, exchange: &mut dyn FnMut(u64) -> u64) -> bool {
                let Self { $($field),+ } = self;
                $($crate::virt::Words::exchange($field, exchange))&&+
            }
        }
    };
}

pub(crate) use words;
