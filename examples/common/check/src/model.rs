//! What the units in software answer.

/// The ends of the names of lines, and the values that our devices answer with. Numbers are differences, so that what a
/// machine executes besides is not in them.
const ANSWERS: [(&str, &str); 12] = [
    (" instructions in a loop of 2000", "2000"),
    (" counted while it was stopped", "0"),
    (" wraps", "yes"),
    (" lost at the wrap", "0"),
    (" tells its overflow", "yes"),
    ("counters together, counts that differ", "0"),
    ("interrupt, periods without a sample", "0"),
    ("interrupt, samples lost", "0 ring full, 0 outrun, 0 stopped, 0 throttled"),
    ("counters enabled that are not announced", "0x0"),
    ("counters announced that are not enabled", "0x0"),
    ("IA32_PMC0 is extended by its sign", "yes"),
    ("software increments of 1000", "1000"),
];

/// Returns the value that a line with this name has over our devices, if they answer all alike.
#[must_use]
pub fn model(name: &str) -> Option<&'static str> {
    ANSWERS.iter().find(|(end, _)| name.ends_with(end)).map(|(_, value)| *value)
}
