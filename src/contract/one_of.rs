//! A driver that is one of several, as a macro.
//!
//! The driver is chosen once, at detection. Each function of the enum calls the chosen driver's function.

use super::Image;
use crate::event::CounterSet;

/// Defines an enum of one to three drivers, and implements the driver's traits for it.
///
/// Image, saved state, occupancy and program are tuples of the drivers' own, of which the detected driver uses one. With three
/// variants a call is a comparison or two. With four the compiler may make a jump table, which the overflow handler must not
/// have. More families are an enum in an enum.
///
/// If the drivers' registers or handles differ, the caller writes the items that depend on them, after the enum: `Registers`,
/// `Handle`, `registers` and `counter` of `Plan`, and `read` of `Counters`.
macro_rules! one_of {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident<$($parameter:ident),+> where [$($bound:tt)*] {
            $(#[$first_doc:meta])*
            $first:ident($first_driver:ty),
            $($(#[$second_doc:meta])*
            $second:ident($second_driver:ty),
            $($(#[$third_doc:meta])*
            $third:ident($third_driver:ty),)?)?
        }
        $(impl Plan { $($plan:tt)* } impl Counters { $($counters:tt)* })?
    ) => {
        $(#[$attribute])*
        #[derive(Debug)]
        #[allow(clippy::large_enum_variant, reason = "a unit has one, in place, and there is no allocator")]
        #[non_exhaustive]
        pub enum $name<$($parameter),+> {
            $(#[$first_doc])*
            $first($first_driver),
            $($(#[$second_doc])*
            $second($second_driver),
            $($(#[$third_doc])*
            $third($third_driver),)?)?
        }

        $crate::contract::one_of!(
            [$($bound)*] $name<$($parameter),+>,
            [$first($first_driver) 0 $(, $second($second_driver) 1 $(, $third($third_driver) 2)?)?]
            $({ $($plan)* } { $($counters)* })?
        );
    };

    // Drivers of the same registers, whose counters have the same handles.
    ([$($bound:tt)*] $name:ty, [$first:ident($driver:ty) $at:tt $(, $other:ident($other_driver:ty) $other_at:tt)*]) => {
        $crate::contract::one_of!(
            [$($bound)*] $name,
            [$first($driver) $at $(, $other($other_driver) $other_at)*]
            {
                type Registers = <$driver as $crate::contract::Plan>::Registers;
                type Handle = <$driver as $crate::contract::Plan>::Handle;

                #[inline(always)]
                fn registers(&self) -> &Self::Registers {
                    match self {
                        Self::$first(driver) => $crate::contract::Plan::registers(driver),
                        $(Self::$other(driver) => $crate::contract::Plan::registers(driver),)*
                    }
                }

                #[inline(always)]
                fn counter(&self, slot: &$crate::contract::Slot) -> $crate::contract::Counter<Self::Handle> {
                    match self {
                        Self::$first(driver) => $crate::contract::Plan::counter(driver, slot),
                        $(Self::$other(driver) => $crate::contract::Plan::counter(driver, slot),)*
                    }
                }
            }
            {
                #[inline(always)]
                fn read(&self, counter: Self::Handle) -> u64 {
                    match self {
                        Self::$first(driver) => $crate::contract::Counters::read(driver, counter),
                        $(Self::$other(driver) => $crate::contract::Counters::read(driver, counter),)*
                    }
                }
            }
        );
    };

    (
        [$($bound:tt)*] $name:ty, [$($variant:ident($driver:ty) $at:tt),+] { $($plan:tt)* } { $($counters:tt)* }
    ) => {
        const _: () = {
            use $crate::contract::{Control, Counters, Description, Kind, Late, Plan, Slot, Steps};
            use $crate::event::catalogue::Catalogue;
            use $crate::event::{
                Conflict, CounterId, CounterSet, Error, Event, Generic, Refusal, Remaining, Request, Result,
            };

            impl<$($bound)*> Plan for $name {
                type Demand = $crate::contract::one_of!(first $($driver),+; Plan::Demand);
                type Program = ($(<$driver as Plan>::Program,)+);
                type Occupancy = ($(<$driver as Plan>::Occupancy,)+);

                const NO_PROGRAM: Self::Program = ($(<$driver as Plan>::NO_PROGRAM,)+);

                $($plan)*

                fn description(&self) -> Description {
                    match self { $(Self::$variant(driver) => driver.description(),)+ }
                }

                fn catalogue(&self) -> &'static Catalogue {
                    match self { $(Self::$variant(driver) => driver.catalogue(),)+ }
                }

                fn native(&self, generic: Generic) -> Result<Event, Refusal> {
                    match self { $(Self::$variant(driver) => driver.native(generic),)+ }
                }

                #[inline(always)]
                fn kind(&self) -> Kind {
                    match self { $(Self::$variant(driver) => driver.kind(),)+ }
                }

                fn line(&self) -> u64 {
                    match self { $(Self::$variant(driver) => driver.line(),)+ }
                }

                #[inline(always)]
                fn encode(&self, request: &Request) -> Result<Self::Demand, Refusal> {
                    match self { $(Self::$variant(driver) => driver.encode(request),)+ }
                }

                #[inline(always)]
                fn place(
                    &self,
                    beside: &Self::Occupancy,
                    new: &[Self::Demand],
                    steps: Steps,
                    out: &mut [Slot],
                ) -> Result<Self::Program, Conflict> {
                    let mut program = Self::NO_PROGRAM;
                    match self {
                        $(Self::$variant(driver) => program.$at = driver.place(&beside.$at, new, steps, out)?,)+
                    }
                    Ok(program)
                }

                fn user_offset(&self) -> u64 {
                    match self { $(Self::$variant(driver) => driver.user_offset(),)+ }
                }
            }

            impl<$($bound)*> Counters for $name {
                type Image = ($(<$driver as Counters>::Image,)+);

                const EARLY: u64 = {
                    let mut most = 0;
                    $(if <$driver as Counters>::EARLY > most { most = <$driver as Counters>::EARLY; })+
                    most
                };
                const WRAPS: bool = {
                    let all = $(<$driver as Counters>::WRAPS)&&+;
                    assert!(all || !($(<$driver as Counters>::WRAPS)||+), "families whose counters overflow alike");
                    all
                };

                $($counters)*

                #[inline(always)]
                fn run(&self, image: &Self::Image, exactly: CounterSet) {
                    match self { $(Self::$variant(driver) => driver.run(&image.$at, exactly),)+ }
                }

                #[inline(always)]
                fn preset(&self, image: &Self::Image, counter: CounterId, remaining: Remaining) -> Remaining {
                    match self { $(Self::$variant(driver) => driver.preset(&image.$at, counter, remaining),)+ }
                }

                #[inline(always)]
                fn is_interrupting(&self, image: &Self::Image) -> bool {
                    match self { $(Self::$variant(driver) => driver.is_interrupting(&image.$at),)+ }
                }

                #[inline(always)]
                fn overflowed(&self, image: &Self::Image, among: CounterSet, found: impl FnMut(CounterId, i64)) {
                    match self { $(Self::$variant(driver) => driver.overflowed(&image.$at, among, found),)+ }
                }

                #[inline(always)]
                fn acknowledge(&self, image: &Self::Image, counters: CounterSet) {
                    match self { $(Self::$variant(driver) => driver.acknowledge(&image.$at, counters),)+ }
                }

                #[inline(always)]
                fn rearm(&self) {
                    match self { $(Self::$variant(driver) => driver.rearm(),)+ }
                }

                #[inline(always)]
                fn late(&self) -> Late {
                    match self { $(Self::$variant(driver) => driver.late(),)+ }
                }
            }

            impl<$($bound)*> Control for $name {
                type Saved = ($(<$driver as Control>::Saved,)+);

                #[allow(clippy::declare_interior_mutable_const, reason = "it begins a value, and nobody writes to it")]
                const NOTHING_SAVED: Self::Saved = ($(<$driver as Control>::NOTHING_SAVED,)+);
                const MAY_SWALLOW: bool = $(<$driver as Control>::MAY_SWALLOW)||+;
                const RESTLESS: CounterSet = CounterSet::EMPTY$(.or(<$driver as Control>::RESTLESS))+;

                fn swallowed(&self, image: &Self::Image, slots: &[Slot]) -> Option<Error> {
                    match self { $(Self::$variant(driver) => driver.swallowed(&image.$at, slots),)+ }
                }

                #[inline(always)]
                fn load(&self, image: &Self::Image, program: &Self::Program, slots: &[Slot]) {
                    match self { $(Self::$variant(driver) => driver.load(&image.$at, &program.$at, slots),)+ }
                }

                #[inline(always)]
                fn release(&self, image: &Self::Image, counters: CounterSet) {
                    match self { $(Self::$variant(driver) => driver.release(&image.$at, counters),)+ }
                }

                fn reload(&self, image: &Self::Image) {
                    match self { $(Self::$variant(driver) => driver.reload(&image.$at),)+ }
                }

                fn save(&self, into: &Self::Saved) {
                    match self { $(Self::$variant(driver) => driver.save(&into.$at),)+ }
                }

                fn restore(&self, from: &Self::Saved) {
                    match self { $(Self::$variant(driver) => driver.restore(&from.$at),)+ }
                }

                fn lend(&self, image: &Self::Image, counters: CounterSet) {
                    match self { $(Self::$variant(driver) => driver.lend(&image.$at, counters),)+ }
                }
            }
        };
    };

    (first $driver:ty $(, $other:ty)*; $trait:ident::$type:ident) => { <$driver as $trait>::$type };
}

pub(crate) use one_of;

/// The image of a driver that is one of several. All but the detected driver's are blank.
macro_rules! image {
    ($($driver:ident $at:tt),+) => {
        impl<$($driver: Image),+> Image for ($($driver,)+) {
            type Occupancy = ($($driver::Occupancy,)+);

            const BLANK: Self = ($($driver::BLANK,)+);

            #[inline(always)]
            fn counters(&self) -> CounterSet {
                CounterSet::EMPTY$(.or(self.$at.counters()))+
            }

            #[inline(always)]
            fn occupancy(&self) -> Self::Occupancy {
                ($(self.$at.occupancy(),)+)
            }
        }
    };
}

image!(A 0);
image!(A 0, B 1);
image!(A 0, B 1, C 2);
