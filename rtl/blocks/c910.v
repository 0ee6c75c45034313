// The ports of example.v around T-Head's ct_hpcp_top (openc910, gen_rtl/pmu/rtl), which is not in this repository. Its other inputs
// stay 0.
//
// Of an event that several pipes have, one has it here. Not wired are 16 to 19, which the cache of the second level counts.
module c910 (
    input             clock,
    input             reset,
    input      [11:0] address,
    input             read,
    input             write,
    input      [63:0] write_data,
    output     [63:0] read_data,
    output            done,
    input      [63:0] events,
    output            pending
);
    // What retires is told with the instruction that it is.
    wire retires = events[0] || events[6] || events[7] || events[8] || events[9] || events[10] || events[11] || events[35]
        || events[38];

    // The cache's answer, for which an access to mcounterof waits.
    reg cache;
    always @(posedge clock) cache <= read || write;

    ct_hpcp_top block (
        .forever_cpuclk(clock),
        .cpurst_b(!reset),
        .cp0_hpcp_icg_en(1'b1),
        .cp0_yy_priv_mode(2'b11),
        .cp0_hpcp_sel(read || write),
        .cp0_hpcp_index(address),
        .cp0_hpcp_op({write, 3'b001}),
        .cp0_hpcp_src0(write_data),
        .cp0_hpcp_wdata(write_data),
        .biu_hpcp_cmplt(cache),
        .hpcp_cp0_cmplt(done),
        .hpcp_cp0_data(read_data),
        .hpcp_cp0_int_vld(pending),
        .rtu_hpcp_inst0_vld(retires),
        .rtu_hpcp_inst0_num({1'b0, events[0]}),
        .ifu_hpcp_icache_access(events[1]),
        .ifu_hpcp_icache_miss(events[2]),
        .mmu_hpcp_iutlb_miss(events[3]),
        .mmu_hpcp_dutlb_miss(events[4]),
        .mmu_hpcp_jtlb_miss(events[5]),
        .rtu_hpcp_inst0_bht_mispred(events[6]),
        .rtu_hpcp_inst0_condbr(events[7]),
        .rtu_hpcp_inst0_jmp_mispred(events[8]),
        .rtu_hpcp_inst0_jmp(events[9]),
        .rtu_hpcp_inst0_spec_fail(events[10]),
        .rtu_hpcp_inst0_store(events[11]),
        .lsu_hpcp_cache_read_access(events[12]),
        .lsu_hpcp_cache_read_miss(events[13]),
        .lsu_hpcp_cache_write_access(events[14]),
        .lsu_hpcp_cache_write_miss(events[15]),
        .idu_hpcp_rf_inst_vld(events[20] || events[21] || events[22]),
        .idu_hpcp_rf_pipe0_lch_fail_vld(events[20]),
        .idu_hpcp_rf_pipe3_reg_lch_fail_vld(events[21]),
        .idu_hpcp_rf_pipe0_inst_vld(events[22]),
        .lsu_hpcp_ld_stall_cross_4k(events[23]),
        .lsu_hpcp_ld_stall_other(events[24]),
        .lsu_hpcp_replay_discard_sq(events[25]),
        .lsu_hpcp_replay_data_discard(events[26]),
        .ifu_hpcp_btb_mispred(events[27]),
        .ifu_hpcp_btb_inst(events[28]),
        .idu_hpcp_ir_inst0_vld(events[29]),
        .idu_hpcp_ir_inst0_type(7'b0000001),
        .idu_hpcp_ir_inst1_vld(events[30]),
        .idu_hpcp_ir_inst1_type(7'b0000010),
        .idu_hpcp_ir_inst2_vld(events[31]),
        .idu_hpcp_ir_inst2_type(7'b0000100),
        .idu_hpcp_ir_inst3_vld(events[32] || events[33] || events[37] || events[42]),
        .idu_hpcp_ir_inst3_type({events[42], events[33], events[37], events[32], 3'b000}),
        .lsu_hpcp_unalign_inst({1'b0, events[34]}),
        .rtu_hpcp_inst0_ack_int(events[35]),
        .cp0_hpcp_int_disable(events[36]),
        .rtu_hpcp_inst0_jmp_pc_offset_8m(events[38]),
        .ifu_hpcp_frontend_stall(events[39]),
        .idu_hpcp_backend_stall(events[40]),
        .lsu_hpcp_fence_stall(events[41])
    );
endmodule
