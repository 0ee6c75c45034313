//! What kernels answer alike: by the module of theirs that has it.

use pmu::output::profile::Symbol;

/// Returns the symbols of a program of known callers, in the order of their addresses.
pub fn symbols(functions: [(&'static str, extern "C" fn()); 4]) -> [Symbol<'static>; 4] {
    let mut symbols = functions.map(|(name, function)| Symbol { name, start: function as *const () as u64 });
    symbols.sort_unstable_by_key(|symbol| symbol.start);
    symbols
}

/// The program of known callers of a kernel that has it in assembly, as `callers_outermost` and others.
#[macro_export]
macro_rules! callers_in_assembly {
    () => {
        unsafe extern "C" {
            safe fn callers_outermost();
            safe fn callers_left();
            safe fn callers_right();
            safe fn callers_spin();
        }

        /// The program's functions, in the order of their addresses.
        pub fn symbols() -> [pmu::output::profile::Symbol<'static>; 4] {
            $crate::symbols([
                ("outermost", callers_outermost),
                ("left", callers_left),
                ("right", callers_right),
                ("spin", callers_spin),
            ])
        }

        /// Runs the program.
        pub fn run() {
            callers_outermost();
        }
    };
}

/// Makes those functions and constants of [`Kernel`](crate::Kernel) that the kernel's modules of these names have.
///
/// `impl Kernel for Here { harness::from_modules! { instructions kept sled unit user } .. }`
#[macro_export]
macro_rules! from_modules {
    ($($module:ident)*) => { $($crate::from_modules! { @$module })* };

    (@callers) => {
        fn run_callers() {
            callers::run();
        }

        fn symbols() -> [pmu::output::profile::Symbol<'static>; 4] {
            callers::symbols()
        }

        fn walk(place: u64, chain: &mut pmu::samples::chain::Callers<'_>) -> Result<(), pmu::samples::chain::Broken> {
            callers::walk(place, chain)
        }
    };

    (@guest) => {
        fn without_interrupts(_: u64, body: impl FnOnce()) {
            guest::hold_interrupts();
            body();
            guest::take_interrupts();
        }
    };

    (@instructions) => {
        const FEWEST: u64 = instructions::FEWEST;

        #[inline(always)]
        fn exactly(count: u64) {
            instructions::exactly(count);
        }

        fn is_where_interrupts_come(address: u64) -> bool {
            instructions::is_where_interrupts_come(address)
        }
    };

    (@kept) => {
        fn keep_registers() {
            kept::keep();
        }
    };

    (@position) => {
        fn note_positions() {
            $crate::overflow::on_overflow(|at| $crate::position::note::<Self>(at, position::of(at)));
        }

        fn go_round(rounds: u64) {
            position::go_round(rounds);
        }
    };

    (@sled) => {
        const ROW: u64 = sled::LENGTH;

        fn run_row(rounds: u64) {
            sled::run(rounds);
        }

        fn place_in_row(address: u64) -> Option<u64> {
            sled::of(address)
        }
    };

    (@threads) => {
        fn reset_clock() {
            threads::reset_clock();
        }
    };

    (@unit) => {
        fn unit() -> &'static pmu::Unit<Self::Driver, { $crate::ROOM }> {
            &unit::SHARED
        }

        fn small_unit() -> &'static pmu::Unit<Self::Driver, { $crate::LITTLE_ROOM }> {
            &unit::SMALL
        }
    };

    (@user) => {
        fn run_program(body: extern "C" fn()) {
            user::run(body);
        }
    };
}
