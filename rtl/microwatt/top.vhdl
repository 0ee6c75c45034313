-- Microwatt with what the bench gives it and watches: memory for its two buses, and what its unit is told.
--
-- The second architecture of `pmu` stands in for the core's own, as the one that is compiled last, and has the core's own in it.
-- It shows the bench each cycle's events as the core reports them to the unit, and which counters the last writes to MMCR0 and
-- MMCR2 stop. It sees neither the counters nor what they select.
library ieee;
use ieee.std_logic_1164.all;

-- What bench.cpp has. A vector is passed as a byte for each element, the leftmost first.
package bench is
    procedure bench_load(address : std_ulogic_vector(31 downto 0); datum : out std_ulogic_vector(63 downto 0));
    attribute foreign of bench_load : procedure is "VHPIDIRECT bench_load";
    procedure bench_store(address : std_ulogic_vector(31 downto 0); datum : std_ulogic_vector(63 downto 0);
                          bytes : std_ulogic_vector(7 downto 0));
    attribute foreign of bench_store : procedure is "VHPIDIRECT bench_store";
    procedure bench_cycle(events : std_ulogic_vector(23 downto 0); stopped : std_ulogic_vector(6 downto 1);
                          loses : out std_ulogic);
    attribute foreign of bench_cycle : procedure is "VHPIDIRECT bench_cycle";
end bench;

package body bench is
    procedure bench_load(address : std_ulogic_vector(31 downto 0); datum : out std_ulogic_vector(63 downto 0)) is
    begin
        assert false severity failure;
    end;
    procedure bench_store(address : std_ulogic_vector(31 downto 0); datum : std_ulogic_vector(63 downto 0);
                          bytes : std_ulogic_vector(7 downto 0)) is
    begin
        assert false severity failure;
    end;
    procedure bench_cycle(events : std_ulogic_vector(23 downto 0); stopped : std_ulogic_vector(6 downto 1);
                          loses : out std_ulogic) is
    begin
        assert false severity failure;
    end;
end bench;

library ieee;
use ieee.std_logic_1164.all;
library work;
use work.bench.all;
use work.common.all;

architecture watched of pmu is
    signal told  : Execute1ToPMUType;
    signal loses : std_ulogic := '0';
begin
    its_own : entity work.pmu(behaviour) port map (clk => clk, rst => rst, p_in => told, p_out => p_out);

    -- The bench makes the unit lose instructions, to show that this is noticed.
    process(p_in, loses)
    begin
        told <= p_in;
        told.occur.instr_complete <= p_in.occur.instr_complete and not loses;
    end process;

    -- Amid a cycle all that the unit is told of it is settled. What is written takes effect in the next one.
    process(clk)
        variable mmcr0, mmcr2 : std_ulogic_vector(63 downto 0) := (others => '0');
        variable stopped      : std_ulogic_vector(6 downto 1)  := (others => '1');
        variable before       : std_ulogic                     := '0';
        variable lost         : std_ulogic;
    begin
        if falling_edge(clk) and rst = '0' then
            bench_cycle((p_in.tbbits(3) and not before) & p_in.run & '1' & p_in.occur.ld_fill_nocache
                & p_in.occur.ld_miss_nocache & p_in.occur.dtlb_miss_resolved & p_in.occur.dtlb_miss & p_in.occur.dc_store_miss
                & p_in.occur.dc_ld_miss_resolved & p_in.occur.dc_load_miss & p_in.occur.dc_miss_resolved
                & p_in.occur.icache_miss & p_in.occur.itlb_miss_resolved & p_in.occur.itlb_miss & p_in.occur.ipref_discard
                & p_in.occur.br_mispredict & p_in.occur.br_taken_complete & p_in.occur.st_complete & p_in.occur.ld_complete
                & p_in.occur.fp_complete & p_in.occur.instr_complete & p_in.occur.ext_interrupt & p_in.occur.dispatch
                & p_in.occur.no_instr_avail, stopped, lost);
            loses <= lost;
            before := p_in.tbbits(3);
            if p_in.mtspr = '1' then
                case p_in.spr_num(3 downto 0) is
                    when "1011" => mmcr0 := p_in.spr_val;
                    when "0001" => mmcr2 := p_in.spr_val;
                    when others =>
                end case;
                -- MMCR0's FC, FC1-4 and FC5-6; MMCR2's FCnS, since nothing here runs in problem state.
                for counter in 1 to 6 loop
                    stopped(counter) := mmcr0(31) or mmcr2(72 - 9 * counter);
                    if counter < 5 then
                        stopped(counter) := stopped(counter) or mmcr0(5);
                    else
                        stopped(counter) := stopped(counter) or mmcr0(4);
                    end if;
                end loop;
            end if;
        end if;
    end process;
end watched;

library ieee;
use ieee.std_logic_1164.all;
library work;
use work.bench.all;
use work.wishbone_types.all;

-- The bench's memory behind one bus: it answers each request in the next cycle.
entity memory is
    port (clk : in std_ulogic; request : in wishbone_master_out; answer : out wishbone_slave_out);
end memory;

architecture behaviour of memory is
begin
    answer.stall <= '0';
    process(clk)
        variable datum : std_ulogic_vector(63 downto 0);
    begin
        if rising_edge(clk) then
            answer.ack <= request.cyc and request.stb;
            if (request.cyc and request.stb and request.we) = '1' then
                bench_store(request.adr & "000", request.dat, request.sel);
            elsif (request.cyc and request.stb) = '1' then
                bench_load(request.adr & "000", datum);
                answer.dat <= datum;
            end if;
        end if;
    end process;
end behaviour;

library ieee;
use ieee.std_logic_1164.all;
library work;
use work.wishbone_types.all;

entity top is
end top;

architecture behaviour of top is
    signal clk                                    : std_ulogic := '0';
    signal rst                                    : std_ulogic := '1';
    signal instruction_request, data_request      : wishbone_master_out;
    signal instruction_answer, data_answer        : wishbone_slave_out := wishbone_slave_out_init;
begin
    clk <= not clk after 5 ns;
    rst <= '0' after 95 ns;

    core : entity work.core
        generic map (SIM => true, HAS_FPU => false, HAS_BTC => false, LOG_LENGTH => 0)
        port map (
            clk => clk, rst => rst, alt_reset => '0',
            wishbone_insn_in => instruction_answer, wishbone_insn_out => instruction_request,
            wishbone_data_in => data_answer, wishbone_data_out => data_request, wb_snoop_in => wishbone_master_out_init,
            dmi_addr => (others => '0'), dmi_din => (others => '0'), dmi_dout => open, dmi_req => '0', dmi_wr => '0',
            dmi_ack => open, ext_irq => '0', terminated_out => open);
    instructions : entity work.memory port map (clk, instruction_request, instruction_answer);
    data         : entity work.memory port map (clk, data_request, data_answer);
end behaviour;
