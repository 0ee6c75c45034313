// CV32E40P with what the bench watches: its events, by their bits in mhpmevent (cv32e40p_cs_registers.sv, hpm_events), where the
// pipeline reports them, and which counters mcountinhibit stops.
module top #(parameter int unsigned COUNTERS = 4) (
    input  logic        clk_i, rst_ni,
    output logic        instr_req_o,
    output logic [31:0] instr_addr_o,
    input  logic        instr_rvalid_i,
    input  logic [31:0] instr_rdata_i,
    output logic        data_req_o, data_we_o,
    output logic [3:0]  data_be_o,
    output logic [31:0] data_addr_o, data_wdata_o,
    input  logic        data_rvalid_i,
    input  logic [31:0] data_rdata_i,
    // Bit 16 is a cycle and bit 17 an instruction, as mcycle and minstret count them.
    output logic [17:0] events_o,
    output logic [31:0] inhibited_o
);
  cv32e40p_top #(.NUM_MHPMCOUNTERS(COUNTERS)) core (
    .clk_i, .rst_ni, .pulp_clock_en_i(1'b1), .scan_cg_en_i(1'b0), .fetch_enable_i(1'b1), .core_sleep_o(),
    .boot_addr_i(32'h8000_0000), .mtvec_addr_i(32'h8000_0000), .dm_halt_addr_i('0), .hart_id_i('0), .dm_exception_addr_i('0),
    .instr_req_o, .instr_gnt_i(1'b1), .instr_rvalid_i, .instr_addr_o, .instr_rdata_i,
    .data_req_o, .data_gnt_i(1'b1), .data_rvalid_i, .data_we_o, .data_be_o, .data_addr_o, .data_wdata_o, .data_rdata_i,
    .irq_i('0), .irq_ack_o(), .irq_id_o(),
    .debug_req_i(1'b0), .debug_havereset_o(), .debug_running_o(), .debug_halted_o()
  );

  logic load, store, jump, branch, taken, compressed, instruction, load_stall, jump_stall, fetch_miss;
  assign instruction = core.core_i.id_stage_i.mhpmevent_minstret_o;
  assign load_stall  = core.core_i.id_stage_i.mhpmevent_ld_stall_o;
  assign jump_stall  = core.core_i.id_stage_i.mhpmevent_jr_stall_o;
  assign fetch_miss  = core.core_i.id_stage_i.mhpmevent_imiss_o;
  assign load        = core.core_i.id_stage_i.mhpmevent_load_o;
  assign store       = core.core_i.id_stage_i.mhpmevent_store_o;
  assign jump        = core.core_i.id_stage_i.mhpmevent_jump_o;
  assign branch      = core.core_i.id_stage_i.mhpmevent_branch_o;
  assign taken       = core.core_i.id_stage_i.mhpmevent_branch_taken_o;
  assign compressed  = core.core_i.id_stage_i.mhpmevent_compressed_o;
  assign events_o = {instruction, 1'b1, 5'b0, compressed, taken, branch, jump, store, load, fetch_miss, jump_stall, load_stall,
                     instruction, 1'b1};
  assign inhibited_o = core.core_i.cs_registers_i.mcountinhibit_q;
endmodule
