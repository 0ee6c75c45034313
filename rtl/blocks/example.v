// A block of counters with the ports that a block needs to be driven here, and the registers of T-Head's C910 as the crate knows
// them. It is no maker's: it is there so that the way to drive a block in Verilog is tried in each run.
module example (
    input             clock,
    input             reset,
    // The register's number in its instruction, held while `read` or `write` is high, until a cycle in which `done` is.
    input      [11:0] address,
    input             read,
    input             write,
    input      [63:0] write_data,
    output     [63:0] read_data,
    output            done,
    // Bit 0: an instruction has retired. Bit n: the event with the code n has happened.
    input      [63:0] events,
    output            pending
);
    reg [63:0] counters [0:31];
    reg [5:0]  selects [0:31];
    reg [31:0] inhibited, interrupting, overflowed;

    wire [4:0] number      = address[4:0];
    wire       is_there    = number != 1 && number <= 18;
    wire       is_counter  = address[11:5] == 7'h58 && is_there;
    wire       is_select   = address[11:5] == 7'h19 && is_there && number > 2;
    wire       is_inhibit  = address == 12'h320;
    wire       is_enable   = address == 12'h7ca;
    wire       is_overflow = address == 12'h7cb;

    assign done      = read || write;
    assign pending   = |(interrupting & overflowed);
    assign read_data = is_counter  ? counters[number]
                     : is_select   ? {58'b0, selects[number]}
                     : is_inhibit  ? {32'b0, inhibited}
                     : is_enable   ? {32'b0, interrupting}
                     : is_overflow ? {32'b0, overflowed}
                     : 64'b0;

    integer n;
    reg     happens;
    always @(posedge clock) begin
        for (n = 0; n <= 18; n = n + 1) begin
            happens = n == 0 || n == 2 && events[0] || n > 2 && selects[n] != 0 && events[selects[n]];
            if (n != 1 && happens && !inhibited[n]) begin
                counters[n] <= counters[n] + 1;
                if (&counters[n]) overflowed[n] <= 1'b1;
            end
        end
        if (write && is_counter) counters[number] <= write_data;
        if (write && is_select) selects[number] <= write_data <= 42 ? write_data[5:0] : 6'b0;
        if (write && is_inhibit) inhibited <= write_data[31:0] & 32'h7fffd;
        if (write && is_enable) interrupting <= write_data[31:0] & 32'h7fffd;
        if (write && is_overflow) overflowed <= write_data[31:0] & 32'h7fffd;
        if (reset) begin
            inhibited <= 0;
            interrupting <= 0;
            overflowed <= 0;
            for (n = 0; n < 32; n = n + 1) begin
                counters[n] <= 0;
                selects[n] <= 0;
            end
        end
    end
endmodule
