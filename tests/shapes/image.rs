//! What the miniature drivers remember: for each counter its control word and its shared field.
//!
//! A shared register's value is what the occupied counters need of it, put together.

use pmu::assign::{Demand, Field, search};
use pmu::{Conflict, CounterId, CounterSet, Image, Slot, Word};

/// For each request of a placement, in order, what it needs in a shared register.
pub(crate) type Program = [Field; 8];

pub(crate) struct Memory {
    pub(crate) control: [Word; 64],
    register: [Word; 64],
    mask: [Word; 64],
    value: [Word; 64],
    occupied: Word,
    /// The second counters of pairs.
    pub(crate) second: Word,
    pub(crate) running: Word,
}

impl Image for Memory {
    const BLANK: Self = Self {
        control: [const { Word::new(0) }; 64],
        register: [const { Word::new(0) }; 64],
        mask: [const { Word::new(0) }; 64],
        value: [const { Word::new(0) }; 64],
        occupied: Word::new(0),
        second: Word::new(0),
        running: Word::new(0),
    };

    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }
}

fn index(counter: CounterId) -> usize {
    usize::from(counter.number())
}

impl Memory {
    pub(crate) fn control(&self, counter: CounterId) -> u64 {
        self.control[index(counter)].get()
    }

    /// Is this counter the first of a pair?
    pub(crate) fn is_paired(&self, counter: CounterId) -> bool {
        CounterId::new(counter.number() + 1).is_some_and(|next| self.second.counters().contains(next))
    }

    /// What the occupied counters need of a shared register.
    pub(crate) fn shared(&self, register: u16) -> u64 {
        let holders = self.occupied().into_iter().map(index);
        holders.filter(|i| self.register[*i].get() == u64::from(register)).fold(0, |word, i| word | self.value[i].get())
    }

    /// Do the occupied counters leave room for this field?
    pub(crate) fn agrees(&self, field: &Field) -> bool {
        let holders = self.occupied().into_iter().map(index);
        let mut rivals = holders.filter(|i| self.register[*i].get() == u64::from(field.register.number()));
        rivals.all(|i| (self.value[i].get() ^ field.value) & self.mask[i].get() & field.mask == 0)
    }

    /// Places demands beside what is there, on these counters.
    pub(crate) fn place(
        &self,
        counters: CounterSet,
        new: &[Demand<2, 1>],
        out: &mut [Slot],
    ) -> Result<Program, Conflict> {
        let placement = search(counters.without(self.occupied()), |field| self.agrees(field), new, out)?;
        let mut program = [Field::NOTHING; 8];
        for (field, way) in program.iter_mut().zip(placement.ways()) {
            *field = way.fields[0];
        }
        Ok(program)
    }

    pub(crate) fn note(&self, program: &Program, slots: &[Slot]) {
        for (slot, field) in slots.iter().zip(program) {
            let i = index(slot.counter);
            self.control[i].set(slot.bits);
            self.register[i].set(u64::from(field.register.number()));
            self.mask[i].set(field.mask);
            self.value[i].set(field.value);
            include(&self.occupied, slot.occupies());
            include(&self.second, slot.partner.map_or(CounterSet::EMPTY, CounterId::only));
        }
    }

    pub(crate) fn release(&self, counters: CounterSet) {
        exclude(&self.occupied, counters);
        exclude(&self.second, counters);
        for counter in counters {
            self.register[index(counter)].set(0);
            self.value[index(counter)].set(0);
        }
    }
}

/// The parts of a [`pmu::Backend`] that are alike in all miniatures.
macro_rules! alike {
    ($counters:expr) => {
        type Demand = pmu::assign::Demand<2, 1>;
        type Program = crate::image::Program;
        type Image = crate::image::Memory;

        fn place(
            &self,
            kept: &Self::Image,
            new: &[Self::Demand],
            out: &mut [pmu::Slot],
        ) -> Result<Self::Program, pmu::Conflict> {
            kept.place($counters, new, out)
        }

        fn description(&self) -> pmu::Description {
            let width = pmu::Width::wrapping(crate::processor::BITS).unwrap();
            let mut description = pmu::Description::new("a miniature", "its own source", width);
            description.general = $counters;
            description
        }

        fn release(&self, image: &Self::Image, counters: CounterSet) {
            image.release(counters);
        }

        fn longest(&self, image: &Self::Image, counter: CounterId) -> Remaining {
            Remaining::events(self.width(image, counter).longest())
        }

        fn rearm(&self) {}

        fn late(&self) -> pmu::Late {
            pmu::Late::One { within: u64::MAX }
        }

        fn ticks(&self) -> u64 {
            self.0.ticks()
        }

        fn save(&self, _: &Self::Image) {}

        fn restore(&self, _: &Self::Image) {}
    };
}
pub(crate) use alike;

fn include(word: &Word, counters: CounterSet) {
    word.set(word.counters().or(counters).bits());
}

fn exclude(word: &Word, counters: CounterSet) {
    word.set(word.counters().without(counters).bits());
}
