//! An overflow on every instruction of an operation: on the first, on the second, up to the last.
//!
//! The kernel's host keeps a book of the instructions that retire while a counter is on. It knows
//! nothing of presets, wraps and late interrupts, so whatever the driver makes of those must come to
//! the same number.

use pmu::{Backend, CounterId, CounterSet, Description, Pmu, Request, Session, Unit};

/// A kernel whose host keeps such a book.
pub trait Book: 'static {
    /// What drives its unit.
    type Driver: Backend + 'static;
    /// Instructions before the operation: more than the longest operation, so that one period passes.
    const LEAD: u64;

    /// How many instructions retired while this counter was on.
    fn counted(counter: CounterId) -> u64;
    /// How many retired.
    fn retired() -> u64;
    /// How often an overflow asked for an interrupt.
    fn overflows() -> u64;
    /// How many interrupts came.
    fn interrupts() -> u64;
    /// Retires so many.
    fn exactly(instructions: u64);
    /// Has an interrupt come when so many more have retired, though no counter overflows.
    fn interrupt_after(instructions: u64);
    /// Holds interrupts back until so many more have retired.
    fn hold_interrupts(instructions: u64);

    /// The counters that can count one event an instruction.
    fn counters(unit: &Description) -> CounterSet;
    /// What counts so on this one.
    fn request(counter: CounterId) -> Request;

    /// Which of an operation's instructions the overflow shall be on, if it has so many: all.
    fn tried(instructions: u64) -> impl Iterator<Item = u64> {
        1..=instructions
    }
}

/// A session of one counter, beside the host's book of it.
pub struct Booked<K: Book> {
    /// The session.
    pub session: Session<'static, K::Driver, 1>,
    counter: CounterId,
    /// What the book had when the count was 0.
    zero: u64,
    period: u64,
}

impl<K: Book> Booked<K> {
    /// Opens it.
    pub fn open(pmu: &Pmu<'static, K::Driver>, request: Request) -> Self {
        let session = pmu.open([request]).expect("the counter is free");
        let counter = session.counter(0).expect("it has a counter");
        let period = request.sampling.map_or(0, |sampling| sampling.period);
        Self { session, counter, zero: K::counted(counter), period }
    }

    /// What it should have counted.
    pub fn booked(&self) -> u64 {
        K::counted(self.counter) - self.zero
    }

    /// What it has counted since it was opened, which the book confirms; it does not run.
    pub fn count(&mut self) -> u64 {
        let count = self.session.read().expect("this is its CPU")[0];
        if self.session.has_ended(0) {
            // The counter was on for a little longer, until the interrupt had halted it.
            self.zero += self.booked() - self.period;
        }
        assert_eq!(count, self.booked(), "{}", self.counter);
        count
    }
}

/// A moment in the life of a session.
struct Moment {
    counted: u64,
    retired: u64,
}

/// What an operation was seen to do.
pub struct Passage {
    begin: Moment,
    end: Moment,
    /// What the operation says that it has counted itself.
    pub others: u64,
}

impl Passage {
    /// Instructions of the operation that the sampling counter was on for.
    pub fn counted(&self) -> u64 {
        self.end.counted - self.begin.counted
    }

    /// Instructions of the operation that it was off for.
    pub fn halted(&self) -> u64 {
        self.end.retired - self.begin.retired - self.counted()
    }
}

/// Samples by what `request` makes of a period, and does `operation` meanwhile: once for each of the
/// instructions that are counted in it (or those that [`Book::tried`] names), with the overflow on just
/// that one, which has a number from 1. `compare` is given the operation without and with it. In the
/// end each counter is free.
pub fn on_every_instruction<K: Book>(
    unit: &'static Unit<K::Driver, 64>,
    pmu: &Pmu<'static, K::Driver>,
    request: impl Fn(u64) -> Request,
    mut operation: impl FnMut(&mut Booked<K>) -> u64,
    mut compare: impl FnMut(u64, &Passage, &Passage),
) {
    let mut run =
        |period| Accounts::around::<K, _>(unit, || passage(Booked::open(pmu, request(period)), &mut operation));
    let (calm, accounts) = run(2 * K::LEAD);
    assert_eq!(accounts, Accounts::NOTHING, "the period is too short");
    assert!((1..K::LEAD).contains(&calm.counted()), "the operation is too long");
    for instruction in K::tried(calm.counted()) {
        let (stormy, accounts) = run(calm.begin.counted + instruction);
        assert_eq!(stormy.begin.counted, calm.begin.counted, "instruction {instruction}");
        assert_eq!(accounts, Accounts::ONE, "instruction {instruction}");
        compare(instruction, &calm, &stormy);
    }
    assert_all_free::<K>(pmu);
}

fn passage<K: Book>(mut sampler: Booked<K>, operation: &mut impl FnMut(&mut Booked<K>) -> u64) -> Passage {
    sampler.session.start().expect("it can start");
    K::exactly(K::LEAD);
    let begin = Moment { retired: K::retired(), counted: sampler.booked() };
    let others = operation(&mut sampler);
    let end = Moment { counted: sampler.booked(), retired: K::retired() };
    sampler.session.stop().expect("it runs");
    sampler.count();
    Passage { begin, end, others }
}

/// What became of overflows.
#[derive(PartialEq, Debug)]
pub struct Accounts {
    overflows: u64,
    /// Samples, and overflows that are said to have left none.
    kept: u64,
    unclaimed: u64,
}

impl Accounts {
    const NOTHING: Self = Self { overflows: 0, kept: 0, unclaimed: 0 };
    /// One overflow, and it is accounted for.
    pub const ONE: Self = Self::kept(1);

    /// So many overflows, and each is accounted for.
    pub const fn kept(overflows: u64) -> Self {
        Self { overflows, kept: overflows, unclaimed: 0 }
    }

    /// What becomes of those that happen in `body`.
    pub fn around<K: Book, T>(unit: &'static Unit<K::Driver, 64>, body: impl FnOnce() -> T) -> (T, Self) {
        let before = Self::of::<K>(unit);
        let result = body();
        let after = Self::of::<K>(unit);
        let accounts = Self {
            overflows: after.overflows - before.overflows,
            kept: after.kept - before.kept,
            unclaimed: after.unclaimed - before.unclaimed,
        };
        (result, accounts)
    }

    fn of<K: Book>(unit: &'static Unit<K::Driver, 64>) -> Self {
        Self { overflows: K::overflows(), kept: accounted(unit), unclaimed: unit.strays().foreign }
    }
}

/// How many samples a unit has received and lost; those that wait are dropped.
pub fn accounted<B: Backend, const SAMPLES: usize>(unit: &Unit<B, SAMPLES>) -> u64 {
    let mut samples = unit.samples().expect("nobody else reads");
    samples.by_ref().for_each(drop);
    samples.received() + samples.lost().total()
}

/// Each counter can be opened: nobody has kept one.
pub fn assert_all_free<K: Book>(pmu: &Pmu<'static, K::Driver>) {
    let mut sessions = [const { None }; 64];
    let counters = K::counters(&pmu.description());
    for (session, counter) in sessions.iter_mut().zip(counters) {
        *session = Some(pmu.open([K::request(counter)]).expect("every counter is free"));
    }
}

/// Makes a kernel's own modules its [`Book`](crate::amid::Book), `Here`, and names what its tests do with it.
///
/// Of the modules, `truth` has `counted`, `retired`, `overflows` and `interrupts`; `instructions` has `exactly`;
/// `mischief` has `interrupt_after` and `hold_interrupts`; `clocked` has `counters` and `request`. Where not each of an operation's instructions is [`Book::tried`](crate::amid::Book::tried),
/// `tried` is the function that says which.
#[macro_export]
macro_rules! book {
    (
        driver: $driver:ty, truth: $truth:ident, instructions: $instructions:ident, mischief: $mischief:ident,
        clocked: $clocked:ident, lead: $lead:literal $(, tried: $tried:ident)? $(,)?
    ) => {
        pub use $crate::amid::{Accounts, Passage, on_every_instruction};

        /// This kernel, and its host's book.
        #[derive(Debug)]
        pub struct Here;

        /// A session beside that book.
        pub type Booked = $crate::amid::Booked<Here>;

        impl $crate::amid::Book for Here {
            type Driver = $driver;
            const LEAD: u64 = $lead;

            #[inline(always)]
            fn counted(counter: ::pmu::CounterId) -> u64 {
                $truth::counted(counter)
            }

            #[inline(always)]
            fn retired() -> u64 {
                $truth::retired()
            }

            fn overflows() -> u64 {
                $truth::overflows()
            }

            fn interrupts() -> u64 {
                $truth::interrupts()
            }

            #[inline(always)]
            fn exactly(instructions: u64) {
                $instructions::exactly(instructions);
            }

            #[inline(always)]
            fn interrupt_after(instructions: u64) {
                $mischief::interrupt_after(instructions);
            }

            #[inline(always)]
            fn hold_interrupts(instructions: u64) {
                $mischief::hold_interrupts(instructions);
            }

            fn counters(unit: &::pmu::Description) -> ::pmu::CounterSet {
                $clocked::counters(unit)
            }

            fn request(counter: ::pmu::CounterId) -> ::pmu::Request {
                $clocked::request(counter)
            }

            $(
                fn tried(instructions: u64) -> impl Iterator<Item = u64> {
                    $tried(instructions)
                }
            )?
        }

        /// Each counter can be opened: nobody has kept one.
        pub fn assert_all_free(pmu: &::pmu::Pmu<'static, $driver>) {
            $crate::amid::assert_all_free::<Here>(pmu);
        }
    };
}
