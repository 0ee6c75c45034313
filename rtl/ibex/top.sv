// Ibex' core with the register file of its own that is made for a simulation, and with what the bench watches: its events, by their
// bits in mhpmevent (ibex_cs_registers.sv, mhpmevent and mhpmcounter_incr), where they enter the registers, and which counters
// mcountinhibit stops.
module top import ibex_pkg::*; #(parameter int unsigned COUNTERS = 10, WIDTH = 40) (
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
  logic [4:0] read_a, read_b, written;
  logic [31:0] value_a, value_b, value;
  logic is_written;
  logic [IC_TAG_SIZE-1:0] no_tags [IC_NUM_WAYS];
  logic [IC_LINE_SIZE-1:0] no_lines [IC_NUM_WAYS];
  assign no_tags = '{default: '0};
  assign no_lines = '{default: '0};

  ibex_core #(.MHPMCounterNum(COUNTERS), .MHPMCounterWidth(WIDTH)) core (
    .clk_i, .rst_ni, .hart_id_i('0), .boot_addr_i(32'h8000_0000),
    .instr_req_o, .instr_gnt_i(1'b1), .instr_rvalid_i, .instr_addr_o, .instr_rdata_i, .instr_err_i(1'b0),
    .data_req_o, .data_gnt_i(1'b1), .data_rvalid_i, .data_we_o, .data_be_o, .data_addr_o, .data_wdata_o, .data_rdata_i,
    .data_err_i(1'b0),
    .dummy_instr_id_o(), .dummy_instr_wb_o(), .rf_raddr_a_o(read_a), .rf_raddr_b_o(read_b), .rf_waddr_wb_o(written),
    .rf_we_wb_o(is_written), .rf_wdata_wb_ecc_o(value), .rf_rdata_a_ecc_i(value_a), .rf_rdata_b_ecc_i(value_b),
    .ic_tag_req_o(), .ic_tag_write_o(), .ic_tag_addr_o(), .ic_tag_wdata_o(), .ic_tag_rdata_i(no_tags),
    .ic_data_req_o(), .ic_data_write_o(), .ic_data_addr_o(), .ic_data_wdata_o(), .ic_data_rdata_i(no_lines),
    .ic_scr_key_valid_i(1'b0), .ic_scr_key_req_o(),
    .irq_software_i(1'b0), .irq_timer_i(1'b0), .irq_external_i(1'b0), .irq_fast_i('0), .irq_nm_i(1'b0), .irq_pending_o(),
    .debug_req_i(1'b0), .crash_dump_o(), .double_fault_seen_o(), .fetch_enable_i(IbexMuBiOn),
    .alert_minor_o(), .alert_major_internal_o(), .alert_major_bus_o(), .core_busy_o()
  );
  ibex_register_file_ff file (
    .clk_i, .rst_ni, .test_en_i(1'b0), .dummy_instr_id_i(1'b0), .dummy_instr_wb_i(1'b0), .raddr_a_i(read_a), .rdata_a_o(value_a),
    .raddr_b_i(read_b), .rdata_b_o(value_b), .waddr_a_i(written), .wdata_a_i(value), .we_a_i(is_written), .err_o()
  );

  assign events_o = {
    core.cs_registers_i.instr_ret_i, 1'b1, 6'b0,
    core.cs_registers_i.div_wait_i, core.cs_registers_i.mul_wait_i, core.cs_registers_i.instr_ret_compressed_i,
    core.cs_registers_i.branch_taken_i, core.cs_registers_i.branch_i, core.cs_registers_i.jump_i,
    core.cs_registers_i.mem_store_i, core.cs_registers_i.mem_load_i, core.cs_registers_i.iside_wait_i,
    core.cs_registers_i.dside_wait_i
  };
  assign inhibited_o = core.cs_registers_i.mcountinhibit;
endmodule
