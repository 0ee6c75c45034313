//! The bench of a kernel with one driver, over the processor's instructions, whose programs read no counter.

/// Makes such a bench, with its `run`, where the kernel has imported these names and its guest's `instructions` and `time`.
///
/// `harness::bench_of! { Here, "mips": Mipsxx over Hardware }`
#[macro_export]
macro_rules! bench_of {
    ($kernel:ty, $name:literal: $driver:ident over $hardware:ident) => {
        use $crate::bench::{Accesses, Counting, Instructions, ThisCpu};

        impl $crate::bench::Bench for $kernel {
            fn name() -> &'static str {
                $name
            }

            #[inline(always)]
            fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
                time(work)
            }

            #[inline(always)]
            fn exactly(instructions: u64) {
                instructions::exactly(instructions);
            }

            fn read_as_program(_: u32) -> u64 {
                unreachable!("programs read no counter")
            }
        }

        /// The unit's registers.
        fn registers() -> $hardware<ThisCpu> {
            // SAFETY: the guest's kernel has one driver at a time, and a handler for its interrupt; what it may not do by itself
            // is carried out for it.
            unsafe { $hardware::claim(ThisCpu) }
        }

        $crate::measured!(Timed of $kernel: Instructions by $driver<$hardware<ThisCpu>> = {
            $driver::detect(registers())
        }, |UNIT| {
            $crate::overflow::on_overflow(|at| _ = UNIT.on_overflow(at));
        });
        $crate::measured!(Counted of $kernel: Accesses by $driver<Counting<$hardware<ThisCpu>>> = {
            $driver::detect(Counting::new(registers()))
        }, |UNIT| {
            $crate::overflow::on_overflow(|at| _ = UNIT.on_overflow(at));
        });

        /// What the guest runs.
        pub fn run() {
            $crate::bench::run::<Timed, Counted>();
        }
    };
}
