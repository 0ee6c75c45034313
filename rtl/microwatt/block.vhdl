-- Microwatt's unit alone, with its clock. What it is told and shows goes by block.cpp.
library ieee;
use ieee.std_logic_1164.all;

-- What block.cpp has. A vector is passed as a byte for each element, the leftmost first.
package block_bench is
    procedure block_drive(clocks, writes : out std_ulogic; number : out std_ulogic_vector(4 downto 0);
                          datum : out std_ulogic_vector(63 downto 0); wires : out std_ulogic_vector(25 downto 0);
                          cycle : out std_ulogic_vector(63 downto 0));
    attribute foreign of block_drive : procedure is "VHPIDIRECT block_drive";
    procedure block_see(datum : std_ulogic_vector(63 downto 0); interrupt : std_ulogic);
    attribute foreign of block_see : procedure is "VHPIDIRECT block_see";
end block_bench;

package body block_bench is
    procedure block_drive(clocks, writes : out std_ulogic; number : out std_ulogic_vector(4 downto 0);
                          datum : out std_ulogic_vector(63 downto 0); wires : out std_ulogic_vector(25 downto 0);
                          cycle : out std_ulogic_vector(63 downto 0)) is
    begin
        assert false severity failure;
    end;
    procedure block_see(datum : std_ulogic_vector(63 downto 0); interrupt : std_ulogic) is
    begin
        assert false severity failure;
    end;
end block_bench;

library ieee;
use ieee.std_logic_1164.all;
library work;
use work.block_bench.all;
use work.common.all;

entity alone is
end alone;

architecture behaviour of alone is
    signal clk   : std_ulogic := '0';
    signal rst   : std_ulogic := '1';
    signal told  : Execute1ToPMUType;
    signal shown : PMUToExecute1Type;
begin
    unit : entity work.pmu port map (clk => clk, rst => rst, p_in => told, p_out => shown);

    process
        variable clocks, writes : std_ulogic;
        variable number         : std_ulogic_vector(4 downto 0);
        variable datum, cycle   : std_ulogic_vector(63 downto 0);
        variable wires          : std_ulogic_vector(25 downto 0);
    begin
        for cycle in 1 to 2 loop
            clk <= '1';
            wait for 1 ns;
            clk <= '0';
            wait for 1 ns;
        end loop;
        rst <= '0';
        loop
            block_drive(clocks, writes, number, datum, wires, cycle);
            told.mtspr   <= writes;
            told.spr_num <= number;
            told.spr_val <= datum;
            told.mfspr   <= not writes;
            told.tbbits  <= wires(23) & "000";
            told.pmm_msr <= wires(25);
            told.pr_msr  <= wires(24);
            told.run     <= wires(22);
            told.nia     <= cycle;
            told.addr    <= not cycle and (63 downto 0 => wires(21));
            told.addr_v  <= wires(21);
            told.occur   <= (
                no_instr_avail => wires(0), dispatch => wires(1), ext_interrupt => wires(2), instr_complete => wires(3),
                fp_complete => wires(4), ld_complete => wires(5), st_complete => wires(6), br_taken_complete => wires(7),
                br_mispredict => wires(8), ipref_discard => wires(9), itlb_miss => wires(10),
                itlb_miss_resolved => wires(11), icache_miss => wires(12), dc_miss_resolved => wires(13),
                dc_load_miss => wires(14), dc_ld_miss_resolved => wires(15), dc_store_miss => wires(16),
                dtlb_miss => wires(17), dtlb_miss_resolved => wires(18), ld_miss_nocache => wires(19),
                ld_fill_nocache => wires(20));
            wait for 1 ns;
            if clocks = '1' then
                clk <= '1';
                wait for 1 ns;
                clk <= '0';
                wait for 1 ns;
            end if;
            block_see(shown.spr_val, shown.intr);
        end loop;
    end process;
end behaviour;
