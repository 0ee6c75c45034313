//! Which unit is it, and what can it do?

use core::fmt::{self, Display};

use pmu::driver::{Description, Driver, Overflow, Width};
use pmu::request::Flag;
use pmu::{CounterSet, Mode};

use super::Demo;
use crate::println;

impl<B: Driver + 'static> Demo<'_, B> {
    /// Prints the unit and its facts.
    pub fn describe(&mut self) {
        let (unit, processor) = (self.pmu.description(), self.processor);
        println!("unit {}", unit.name);
        println!("fact processor {processor}");
        if unit.version > 0 {
            println!("fact version {}", unit.version);
        }
        println!("fact general-counters {}", Counters(unit.general, unit.general_width));
        println!("fact fixed-counters {}", Counters(unit.fixed, unit.fixed_width));
        println!("fact tells-apart {}", List(modes(&unit)));
        println!("fact refines-by {}", List(flags(&unit)));
        println!("fact overflow {}", overflow(&unit));
        println!("fact manual {}", unit.manual);
    }
}

fn modes(unit: &Description) -> impl Iterator<Item = Mode> + Clone {
    let all = [Mode::User, Mode::Kernel, Mode::Hypervisor].into_iter();
    let modes = unit.modes;
    all.filter(move |mode| modes.contains(*mode))
}

fn flags(unit: &Description) -> impl Iterator<Item = &'static str> + Clone {
    let flags = unit.flags;
    Flag::ALL.into_iter().filter(move |flag| flags.contains(*flag)).map(Flag::name)
}

const fn overflow(unit: &Description) -> &'static str {
    match unit.overflow {
        Overflow::None => "goes unnoticed",
        Overflow::Interrupt => "interrupts, and does not say which counter it was",
        Overflow::Identified => "interrupts, and says which counter it was",
        _ => "is noticed in a way that is not known here",
    }
}

/// How many counters, and how wide.
struct Counters(CounterSet, Width);

impl Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            0 => f.write_str("none"),
            number => write!(f, "{number} of {} bits", self.1.bits()),
        }
    }
}

/// Words with commas in between; "nothing" if there is none.
struct List<I>(I);

impl<I: Iterator<Item: Display> + Clone> Display for List<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.clone().next().is_none() {
            return f.write_str("nothing");
        }
        self.0.clone().enumerate().try_for_each(|(position, word)| {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}{word}")
        })
    }
}
