//! Sentences that any sampler can say: IBS' of ops, or PEBS.

/// Has a sentence said by the sampler that the presented processor has.
macro_rules! say {
    ($sentence:ident) => {
        match crate::identity::presented().processor.has_precise_sampling() {
            #[cfg(target_pointer_width = "64")]
            true => $sentence::<crate::guest::precise::Counters>(),
            _ => $sentence::<crate::guest::sampling::Ops>(),
        }
    };
}

pub(super) use say;
