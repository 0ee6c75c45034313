// The counter that loses events is that of loads: its next value is what it has already.
enum { FAULTY = 5 };
static void lose_event(Vtop& top) {
    top.rootp->top__DOT__core__DOT__cs_registers_i__DOT__gen_cntrs__BRA__2__KET____DOT__gen_imp__DOT__mcounters_variable_i__DOT__counter_upd -= 1;
}
