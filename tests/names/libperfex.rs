//! libperfex' example program, in the names of its calls: libperfex(3C), "DIAGNOSTICS".
//!
//! The calls are those of the manual page, written over [`Perfex`]. The program collects the misses of the secondary cache,
//! instructions' and data's, and checks what the page says that a program must check.

use std::cell::{Cell, RefCell};

use pmu::arch::mips::mipsxx::{Device, Identity, Mipsxx};
use pmu::driver::Plan as _;
use pmu::output::{perfex::Costs, perfex::GenerationNumber, perfex::Perfex};
use pmu::output::{report::PerfexRow, report::PerfexTable};
use pmu::stats::Rate;
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{Error, Event, Mode, Modes, Pmu, Request, Unit};

const KINDS: Kinds = Kinds::CLOCK.with(Kind::CacheMisses).with(Kind::Loads);

type Driver<'d> = Mipsxx<&'d Device<Unconnected>>;
/// The variables T5_EVENT0 and T5_EVENT1.
type Environment = [Option<u64>; 2];

/// The library: its one pair, its one table of costs, and what it prints to standard error.
struct Libperfex<'p, 'u, 'd> {
    pmu: &'p Pmu<'u, Driver<'d>>,
    perfex: RefCell<Perfex<'p, 'u, Driver<'d>>>,
    table: RefCell<String>,
    errno: Cell<Option<Error>>,
    stderr: RefCell<String>,
}

impl<'p, 'u, 'd> Libperfex<'p, 'u, 'd> {
    fn new(pmu: &'p Pmu<'u, Driver<'d>>, environment: &'p dyn Fn(usize) -> Option<Event>) -> Self {
        Self {
            pmu,
            perfex: RefCell::new(Perfex::new(pmu).replaced_by(environment)),
            table: RefCell::default(),
            errno: Cell::default(),
            stderr: RefCell::default(),
        }
    }

    fn start_counters(&self, e0: u64, e1: u64) -> i32 {
        let request = |number| Request::new(Event::raw(number)).modes(Modes::USER);
        let started = self.perfex.borrow_mut().start(request(e0), request(e1));
        self.completed(started)
    }

    fn read_counters(&self, c0: &mut u64, c1: &mut u64) -> i32 {
        let read = self.perfex.borrow_mut().read();
        self.completed(read.map(|(counts, generation)| {
            [*c0, *c1] = counts;
            generation
        }))
    }

    fn print_counters(&self, e0: u64, c0: u64, e1: u64, c1: u64) {
        self.print(&[(e0, c0), (e1, c1)], None);
    }

    fn print_costs(&self, e0: u64, c0: u64, e1: u64, c1: u64) {
        self.print(&[(e0, c0), (e1, c1)], Rate::hertz(200_000_000));
    }

    fn load_costs(&self, text: &str) -> i32 {
        *self.table.borrow_mut() = text.to_owned();
        let texts = [text];
        if Costs::of_processor(&[]).after(&texts).check().is_ok() { 1 } else { -1 }
    }

    fn perror(&self, what: &str) {
        let reason = self.errno.get().map_or_else(String::new, |error| format!(": {error}"));
        *self.stderr.borrow_mut() += &format!("{what}{reason}\n");
    }

    fn completed(&self, result: Result<GenerationNumber, Error>) -> i32 {
        self.errno.set(result.err());
        result.map_or(-1, |GenerationNumber(number)| i32::try_from(number).expect("a few are started"))
    }

    fn print(&self, counted: &[(u64, u64)], clock: Option<Rate>) {
        let catalogue = self.pmu.driver().catalogue();
        let name = |number| catalogue.of_code(number).expect("it was counted").0.name;
        let row = |&(number, count): &(u64, u64)| PerfexRow { number: number as u32, name: name(number), count };
        let rows: Vec<_> = counted.iter().map(row).collect();
        let table = self.table.borrow();
        let texts = [table.as_str()];
        let costs = clock.map(|clock| (Costs::of_processor(catalogue.costs).after(&texts), clock));
        *self.stderr.borrow_mut() += &PerfexTable { rows: &rows, costs, inputs: None }.to_string();
    }
}

/// The manual page's program. Returns its exit status.
fn program(library: &Libperfex<'_, '_, '_>, [e0, e1]: [u64; 2], user_code: impl FnOnce()) -> i32 {
    let (mut c0, mut c1) = (0, 0);
    let gen_start = library.start_counters(e0, e1);
    if gen_start < 0 {
        library.perror("start_counters");
        return 1;
    }
    user_code();
    let gen_read = library.read_counters(&mut c0, &mut c1);
    if gen_read < 0 {
        library.perror("read_counters");
        return 1;
    }
    if gen_read != gen_start {
        library.perror("lost counters!, aborting...");
        return 1;
    }
    library.print_counters(e0, c0, e1, c1);
    0
}

/// What the program runs on.
struct Machine<'p, 'u, 'd> {
    device: &'d Device<Unconnected>,
    pmu: &'p Pmu<'u, Driver<'d>>,
    library: &'p Libperfex<'p, 'u, 'd>,
}

impl Machine<'_, '_, '_> {
    /// 1000 instructions of the user's code, with 5 misses and 300 loads.
    fn user_code(&self) {
        let work = Work::instructions(Mode::User, 1000).with(Kind::CacheMisses, 5).with(Kind::Loads, 300);
        self.device.advance(&work);
    }

    /// Standard error, as words of each line after a table's title.
    fn printed(&self) -> Vec<Vec<String>> {
        let text = self.library.stderr.borrow();
        let lines = text.lines().skip_while(|line| line.starts_with(' ') && !line.contains("..")).map(str::trim);
        let lines = lines.filter(|line| !line.starts_with("=="));
        lines.map(|line| line.split_ascii_whitespace().map(str::to_owned).collect()).collect()
    }

    fn stderr(&self) -> String {
        self.library.stderr.borrow().clone()
    }
}

fn on(identity: Identity, environment: Environment, use_it: impl FnOnce(Machine<'_, '_, '_>)) {
    let device = Device::new(&identity, KINDS, Unconnected);
    let unit = Unit::<Driver<'_>, 0>::new();
    let pmu = unit.claim(Mipsxx::detect(&device).unwrap()).unwrap();
    let environment = |number: usize| environment[number].map(Event::raw);
    let library = Libperfex::new(&pmu, &environment);
    use_it(Machine { device: &device, pmu: &pmu, library: &library });
}

/// The number and the count of each event that was printed.
fn counts(lines: &[Vec<String>]) -> Vec<(&str, &str)> {
    lines.iter().map(|words| (words[0].as_str(), words[2].as_str())).collect()
}

#[test]
fn the_example_program_prints_its_two_counts_in_either_order() {
    for events in [[10, 26], [26, 10]] {
        on(Identity::R10000, [None; 2], |machine| {
            assert_eq!(program(machine.library, events, || machine.user_code()), 0);
            assert_eq!(counts(&machine.printed()), [("10", "0"), ("26", "5")], "{}", machine.stderr());
        });
    }
}

#[test]
fn two_events_of_one_counter_conflict_on_an_r10000_and_not_on_an_r12000() {
    on(Identity::R10000, [None; 2], |machine| {
        assert_eq!(program(machine.library, [18, 26], || machine.user_code()), 1);
        let printed = machine.stderr();
        let named = "start_counters: requests {0, 1} (event 0x12, event 0x1a) cannot be counted together";
        assert!(printed.starts_with(named), "{printed}");
        assert_eq!(program(machine.library, [10, 26], || machine.user_code()), 0, "nothing was kept");
    });
    on(Identity::R12000, [None; 2], |machine| {
        assert_eq!(program(machine.library, [18, 26], || machine.user_code()), 0);
        assert_eq!(counts(&machine.printed()), [("18", "300"), ("26", "5")]);
    });
}

#[test]
fn a_pair_that_the_users_code_started_itself_is_another_generation() {
    on(Identity::R10000, [None; 2], |machine| {
        let status = program(machine.library, [10, 26], || {
            machine.user_code();
            assert_eq!(machine.library.start_counters(15, 18), 2, "the first was 1");
        });
        assert_eq!((status, machine.stderr().as_str()), (1, "lost counters!, aborting...\n"));
    });
}

#[test]
fn counters_that_a_kernel_took_away_are_an_error_of_the_read() {
    on(Identity::R10000, [None; 2], |machine| {
        let status = program(machine.library, [10, 26], || machine.pmu.revoke().unwrap());
        assert_eq!(status, 1);
        assert!(machine.stderr().starts_with("read_counters: "), "{}", machine.stderr());
    });
}

#[test]
fn counters_that_somebody_else_uses_are_an_error_of_the_start() {
    on(Identity::R10000, [None; 2], |machine| {
        let mut systems = machine.pmu.open([Event::raw(16)]).unwrap();
        systems.start().unwrap();
        assert_eq!(program(machine.library, [10, 26], || machine.user_code()), 1);
        assert!(machine.stderr().starts_with("start_counters: "), "{}", machine.stderr());
        drop(systems);
        assert_eq!(program(machine.library, [10, 26], || machine.user_code()), 0);
    });
}

#[test]
fn the_environment_overrides_the_programs_events() {
    on(Identity::R10000, [Some(15), Some(18)], |machine| {
        let (mut c0, mut c1) = (0, 0);
        assert_eq!(machine.library.start_counters(10, 26), 1);
        machine.user_code();
        assert_eq!(machine.library.read_counters(&mut c0, &mut c1), 1);
        assert_eq!((c0, c1), (1000, 300));
    });
}

#[test]
fn a_start_begins_at_zero_and_a_read_stops() {
    on(Identity::R10000, [None; 2], |machine| {
        let (mut c0, mut c1) = (0, 0);
        let generations: Vec<_> = (0..2)
            .map(|_| {
                let started = machine.library.start_counters(15, 26);
                machine.user_code();
                assert_eq!(machine.library.read_counters(&mut c0, &mut c1), started);
                machine.user_code();
                assert_eq!((c0, c1), (1000, 5));
                started
            })
            .collect();
        assert_eq!(generations, [1, 2]);
        assert_eq!(machine.library.read_counters(&mut c0, &mut c1), -1, "nothing is started");
    });
}

#[test]
fn a_loaded_table_estimates_the_time_and_a_partial_one_keeps_the_others_costs() {
    on(Identity::R10000, [None; 2], |machine| {
        assert_eq!(machine.library.load_costs("Secondary_data_cache_misses 60 40 70 clocks"), 1);
        machine.library.print_costs(0, 200_000_000, 26, 10_000_000);
        let printed = machine.printed();
        assert_eq!(printed[0][2..], ["10000000", "3.000000", "2.000000", "3.500000"]);
        assert_eq!(printed[1][2..], ["200000000", "1.000000", "1.000000", "1.000000"]);
        assert_eq!(machine.library.load_costs("Secondary_data_cache_misses some"), -1);
    });
}
