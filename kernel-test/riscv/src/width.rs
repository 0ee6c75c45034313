//! Two images from one source: what differs between registers of 64 bits and of 32.

/// The first where registers have 64 bits, the second where they have 32.
#[cfg(target_pointer_width = "64")]
macro_rules! by_width {
    ($wide:expr, $narrow:expr $(,)?) => {
        $wide
    };
}

/// The first where registers have 64 bits, the second where they have 32.
#[cfg(target_pointer_width = "32")]
macro_rules! by_width {
    ($wide:expr, $narrow:expr $(,)?) => {
        $narrow
    };
}

/// The bytes of a register.
pub const WORD: usize = size_of::<usize>();

/// Assembly in which `load` and `store` take a whole register, and its place on the stack in registers.
macro_rules! assembly {
    ($($parts:tt)*) => {
        core::arch::global_asm!(
            $crate::width::by_width!(
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

pub(crate) use {assembly, by_width};
