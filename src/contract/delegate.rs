//! The functions of a driver that is one of several, as a macro.

/// The functions of a trait that call the same function of the driver inside, by the family's macro: `whichever!(self,
/// call(..))` calls it, and `whichever!(self, part, call(..))` passes that driver's part of `part` first.
macro_rules! delegated {
    (Plan by $whichever:ident) => {
        fn description(&self) -> $crate::contract::Description {
            $whichever!(self, description())
        }

        fn catalogue(&self) -> &'static $crate::event::catalogue::Catalogue {
            $whichever!(self, catalogue())
        }

        fn native(&self, generic: $crate::event::Generic) -> Result<$crate::Event, $crate::event::Refusal> {
            $whichever!(self, native(generic))
        }

        #[inline(always)]
        fn kind(&self) -> $crate::contract::Kind {
            $whichever!(self, kind())
        }

        fn line(&self) -> u64 {
            $whichever!(self, line())
        }

        #[inline(always)]
        fn encode(&self, request: &$crate::Request) -> Result<Self::Demand, $crate::event::Refusal> {
            $whichever!(self, encode(request))
        }
    };
    (Counters by $whichever:ident) => {
        #[inline(always)]
        fn run(&self, image: &Self::Image, exactly: $crate::CounterSet) {
            $whichever!(self, image, run(exactly));
        }

        #[inline(always)]
        fn preset(
            &self,
            image: &Self::Image,
            counter: $crate::CounterId,
            remaining: $crate::event::Remaining,
        ) -> $crate::event::Remaining {
            $whichever!(self, image, preset(counter, remaining))
        }

        #[inline(always)]
        fn overflowed(
            &self,
            image: &Self::Image,
            among: $crate::CounterSet,
            found: impl FnMut($crate::CounterId, i64),
        ) {
            $whichever!(self, image, overflowed(among, found));
        }

        #[inline(always)]
        fn acknowledge(&self, image: &Self::Image, counters: $crate::CounterSet) {
            $whichever!(self, image, acknowledge(counters));
        }

        #[inline(always)]
        fn rearm(&self) {
            $whichever!(self, rearm());
        }

        #[inline(always)]
        fn late(&self) -> $crate::contract::Late {
            $whichever!(self, late())
        }
    };
    (Control by $whichever:ident) => {
        #[inline(always)]
        fn release(&self, image: &Self::Image, counters: $crate::CounterSet) {
            $whichever!(self, image, release(counters));
        }

        fn reload(&self, image: &Self::Image) {
            $whichever!(self, image, reload());
        }

        fn save(&self, into: &Self::Saved) {
            $whichever!(self, into, save());
        }

        fn restore(&self, from: &Self::Saved) {
            $whichever!(self, from, restore());
        }
    };
}

pub(crate) use delegated;
