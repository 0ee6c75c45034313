//! The image of the miniature drivers: for each counter its control word and its shared field.
//!
//! The value of a shared register is the combination of what the occupied counters need.

use crate::placement::demand::{Demand, Field, search};
use pmu::driver::{Image, Slot, Steps, Word};
use pmu::request::Conflict;
use pmu::{CounterId, CounterSet};

/// For each request of a placement, in order, what it needs in a shared register.
pub(crate) type Program = [Field; 8];

pub(crate) struct Memory {
    pub(crate) control: [Word; 64],
    register: [Word; 64],
    mask: [Word; 64],
    value: [Word; 64],
    occupied: Word,
    pub(crate) running: Word,
}

/// What the occupied counters need of the shared registers, register by register.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Occupancy {
    counters: CounterSet,
    needs: [Need; 8],
}

/// Bits of a register that have a value; register 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Need {
    register: u64,
    mask: u64,
    value: u64,
}

impl Occupancy {
    fn add(&mut self, register: u64, mask: u64, value: u64) {
        let place = self.needs.iter_mut().find(|need| [0, register].contains(&need.register));
        let place = place.expect("as many registers as a miniature shares");
        *place = Need { register, mask: place.mask | mask, value: place.value | value };
    }

    /// Does it leave room for this field?
    fn agrees(&self, field: &Field) -> bool {
        let mut same = self.needs.iter().filter(|need| need.register == u64::from(field.register.number()));
        same.all(|need| (need.value ^ field.value) & need.mask & field.mask == 0)
    }

    /// Places demands beside it, on these counters.
    pub(crate) fn place(
        &self,
        counters: CounterSet,
        new: &[Demand<2, 1>],
        steps: Steps,
        out: &mut [Slot],
    ) -> Result<Program, Conflict> {
        let placement = search(counters.without(self.counters), |field| self.agrees(field), new, steps, out)?;
        let mut program = [Field::NOTHING; 8];
        for (field, way) in program.iter_mut().zip(placement) {
            *field = way.fields[0];
        }
        Ok(program)
    }
}

impl Image for Memory {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        control: [const { Word::new(0) }; 64],
        register: [const { Word::new(0) }; 64],
        mask: [const { Word::new(0) }; 64],
        value: [const { Word::new(0) }; 64],
        occupied: Word::new(0),
        running: Word::new(0),
    };

    fn counters(&self) -> CounterSet {
        self.occupied()
    }

    fn occupancy(&self) -> Occupancy {
        let mut occupancy = Occupancy { counters: self.occupied(), needs: [Need::default(); 8] };
        for i in self.occupied().into_iter().map(index).filter(|i| self.mask[*i].get() != 0) {
            occupancy.add(self.register[i].get(), self.mask[i].get(), self.value[i].get());
        }
        occupancy.needs.sort_unstable();
        occupancy
    }
}

fn index(counter: CounterId) -> usize {
    usize::from(counter.number())
}

impl Memory {
    pub(crate) fn control(&self, counter: CounterId) -> u64 {
        self.control[index(counter)].get()
    }

    pub(crate) fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    /// What the occupied counters need of a shared register.
    pub(crate) fn shared(&self, register: u16) -> u64 {
        let holders = self.occupied().into_iter().map(index);
        holders.filter(|i| self.register[*i].get() == u64::from(register)).fold(0, |word, i| word | self.value[i].get())
    }

    pub(crate) fn note(&self, program: &Program, slots: &[Slot]) {
        for (slot, field) in slots.iter().zip(program) {
            let i = index(slot.counter);
            self.control[i].set(slot.bits);
            self.register[i].set(u64::from(field.register.number()));
            self.mask[i].set(field.mask);
            self.value[i].set(field.value);
            self.occupied.set(self.occupied().or(slot.counter.only()).bits());
        }
    }

    pub(crate) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied().without(counters).bits());
        for counter in counters {
            self.register[index(counter)].set(0);
            self.value[index(counter)].set(0);
        }
    }
}

/// What is alike in all miniatures' promises.
macro_rules! alike {
    (Plan for $shape:ty, $kind:expr, $counters:expr) => {
        type Registers = crate::shapes::processor::Processor<$shape>;
        type Demand = crate::placement::demand::Demand<2, 1>;
        type Program = crate::shapes::image::Program;
        type Occupancy = crate::shapes::image::Occupancy;
        type Handle = u32;

        const NO_PROGRAM: Self::Program = [crate::placement::demand::Field::NOTHING; 8];

        fn registers(&self) -> &Self::Registers {
            self.0
        }

        fn description(&self) -> pmu::driver::Description {
            let mut description =
                pmu::driver::Description::new("a miniature", "its own source", crate::shapes::processor::WIDTH);
            description.general = $counters;
            description
        }

        fn kind(&self) -> pmu::driver::Kind {
            pmu::driver::Kind::from_bits($kind)
        }

        fn place(
            &self,
            beside: &Self::Occupancy,
            new: &[Self::Demand],
            steps: pmu::driver::Steps,
            out: &mut [pmu::driver::Slot],
        ) -> Result<Self::Program, pmu::request::Conflict> {
            beside.place($counters, new, steps, out)
        }
    };
    (Counters) => {
        type Image = crate::shapes::image::Memory;

        fn rearm(&self) {}

        fn late(&self) -> pmu::driver::Late {
            pmu::driver::Late::One { within: u64::MAX }
        }
    };
}
pub(crate) use alike;
