//! Assembly of two images from one source: with registers of 64 bits and of 32.

/// The bytes of a register.
pub const WORD: usize = size_of::<usize>();

/// Assembly in which `load` and `store` take a whole register, and its place on the stack in registers.
macro_rules! assembly {
    ($($parts:tt)*) => {
        core::arch::global_asm!(
            harness::by_width!(
                r#"
    .ifndef pmu_word
    .set pmu_word, 8
    .macro load register, place
        ld \register, \place * 8(sp)
    .endm
    .macro store register, place
        sd \register, \place * 8(sp)
    .endm
    .endif
                "#,
                r#"
    .ifndef pmu_word
    .set pmu_word, 4
    .macro load register, place
        lw \register, \place * 4(sp)
    .endm
    .macro store register, place
        sw \register, \place * 4(sp)
    .endm
    .endif
                "#
            ),
            $($parts)*
        );
    };
}

pub(crate) use assembly;
