//! Assembly with what several files of it need.

/// Assembly with the macros `keep_callers` and `give_callers_back`.
#[macro_export]
macro_rules! assembly {
    ($($parts:tt)*) => {
        core::arch::global_asm!(
            r#"
    .ifndef KEPT
    .set KEPT, 14 * 8
    # What a function keeps for its caller: $22 to $31 and $1, $2, $21, in a frame of 14 words.
    .macro keep_callers
    addi.d $sp, $sp, -KEPT
    .irp number, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    st.d $r\number, $sp, 8 * (\number - 22)
    .endr
    st.d $r1, $sp, 8 * 10
    st.d $r2, $sp, 8 * 11
    st.d $r21, $sp, 8 * 12
    .endm
    .macro give_callers_back
    .irp number, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    ld.d $r\number, $sp, 8 * (\number - 22)
    .endr
    ld.d $r1, $sp, 8 * 10
    ld.d $r2, $sp, 8 * 11
    ld.d $r21, $sp, 8 * 12
    addi.d $sp, $sp, KEPT
    .endm
    .endif
            "#,
            $($parts)*
        );
    };
}
