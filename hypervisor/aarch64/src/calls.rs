//! The firmware that the guest sees: calls of PSCI by HVC ("Power State Coordination Interface", DEN 0022, version 1.0).

/// Functions.
const VERSION: u32 = 0x8400_0000;
const MIGRATION: u32 = 0x8400_0006;
const OFF: u32 = 0x8400_0008;
const RESET: u32 = 0x8400_0009;
const FEATURES: u32 = 0x8400_000a;

/// The version 1.0.
const VERSION_1_0: u64 = 1 << 16;
/// No trusted operating system needs to migrate.
const NOT_REQUIRED: u64 = 2;
/// There is no such function.
const NOT_SUPPORTED: u64 = u64::MAX;

/// What becomes of a call.
pub enum Answer {
    /// The guest goes on with this.
    Returns(u64),
    /// The machine ends.
    Ends { went_well: bool },
}

/// Answers a call by its function and its first argument.
pub fn answer(function: u64, argument: u64) -> Answer {
    Answer::Returns(match function as u32 {
        VERSION => VERSION_1_0,
        MIGRATION => NOT_REQUIRED,
        FEATURES if matches!(argument as u32, VERSION | MIGRATION | OFF | RESET | FEATURES) => 0,
        OFF => return Answer::Ends { went_well: true },
        RESET => return Answer::Ends { went_well: false },
        _ => NOT_SUPPORTED,
    })
}
