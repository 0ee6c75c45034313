//! A block of counters that is simulated in a process of its own (`commands.h`).

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The simulation.
pub struct Block {
    child: RefCell<Child>,
    told: RefCell<BufWriter<ChildStdin>>,
    heard: RefCell<BufReader<ChildStdout>>,
    interrupts: Cell<bool>,
    cycles: Cell<u64>,
}

impl Block {
    /// Starts the simulation. The block has been reset.
    pub fn start(program: &Path) -> Self {
        let mut command = Command::new(program);
        // ghdl's programs tell of each undefined value otherwise; verilator's take no notice.
        command.arg("--ieee-asserts=disable").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {}: {error}", program.display()));
        let told = BufWriter::new(child.stdin.take().expect("it is piped"));
        let heard = BufReader::new(child.stdout.take().expect("it is piped"));
        Self {
            child: RefCell::new(child),
            told: RefCell::new(told),
            heard: RefCell::new(heard),
            interrupts: Cell::new(false),
            cycles: Cell::new(0),
        }
    }

    /// Reads a register, by its number in the instruction.
    pub fn read(&self, at: u16) -> u64 {
        self.ask(&format!("r {at:x}"))
    }

    /// Writes one.
    pub fn write(&self, at: u16, value: u64) {
        self.ask(&format!("w {at:x} {value:x}"));
    }

    /// Lets so many cycles pass in which these wires are up, or fewer if the interrupt rises. Returns how many have passed.
    pub fn present(&self, wires: u64, cycles: u64) -> u64 {
        let before = self.cycles.get();
        if cycles > 0 {
            self.ask(&format!("c {wires:x} {cycles:x}"));
        }
        self.cycles.get() - before
    }

    /// Sets the wires that are up during accesses.
    pub fn set_idle(&self, wires: u64) {
        self.ask(&format!("i {wires:x}"));
    }

    /// Returns true while the block interrupts.
    pub fn interrupts(&self) -> bool {
        self.interrupts.get()
    }

    /// Returns how many cycles have passed.
    pub fn cycles(&self) -> u64 {
        self.cycles.get()
    }

    fn ask(&self, command: &str) -> u64 {
        let mut told = self.told.borrow_mut();
        writeln!(told, "{command}").and_then(|()| told.flush()).expect("the simulation has ended");
        let mut line = String::new();
        self.heard.borrow_mut().read_line(&mut line).expect("the simulation's answer is text");
        let mut numbers = line.split_whitespace().map(|number| u64::from_str_radix(number, 16));
        let mut number = || numbers.next().and_then(Result::ok).unwrap_or_else(|| panic!("{command}: heard {line:?}"));
        let (value, interrupts, cycles) = (number(), number(), number());
        self.interrupts.set(interrupts != 0);
        self.cycles.set(self.cycles.get() + cycles);
        value
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let child = self.child.get_mut();
        // It may have ended.
        let _ = child.kill();
        let _ = child.wait();
    }
}
