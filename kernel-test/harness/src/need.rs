//! What a test needs of the kernel that shows it, and of the processor that is presented.

/// What a test needs. A kernel says what it [lacks](crate::Kernel::lacks).
#[derive(Clone, Copy, Debug)]
pub enum Need {
    /// A counter that overflows interrupts.
    Interrupt,
    /// The overflow interrupt can be raised though no counter overflows.
    Line,
    /// An overflow interrupt can come after the unit was stopped.
    Late,
    /// Two counters count instructions.
    Pair,
    /// A counter can be stopped while another one counts.
    Apart,
    /// How many instructions have retired can be counted exactly.
    Instructions,
    /// It is known what each counter should have counted, at every instruction: a book says so, or the counters are exact and
    /// interrupt in time.
    Book,
    /// A host does to order what hardware does by chance.
    Orders,
    /// The same at an instruction of an operation that the test chooses.
    Amid,
    /// A program's instructions are counted apart from the kernel's.
    Modes,
    /// The interrupted code keeps a chain of its callers.
    Callers,
    /// Threads are preempted by ticks.
    Threads,
    /// A tick that comes amid an operation waits for its end.
    Ticks,
    /// Time: the test lasts.
    Time,
    /// So many of the machine's processors, on which the test runs at once.
    Processors(usize),
    /// Something that only this kernel's own tests need. The function returns why it is lacking, or `None` if it is there.
    Own(fn() -> Option<&'static str>),
}
