package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.os.LostPackets.Dropped;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the files say; that links are really cut is tested with the engines. */
class IsolatedNetworkTest {
    @TempDir
    private Path cluster;

    @BeforeEach
    void fourNodes() throws IOException {
        Files.createDirectories(cluster.resolve("network"));
        Files.write(cluster.resolve("network/nodes"), List.of("PRIVATE", "a", "b", "c", "d"));
    }

    private void cut(String node, String... others) throws IOException {
        Files.write(
                cluster.resolve("network").resolve(node + ".cut"),
                List.of(others).stream().map(other -> node + " " + other).toList());
    }

    private List<String> aside() {
        return aside("a", "b", "c", "d");
    }

    private List<String> aside(String... members) {
        return Stream.of(members)
                .filter(node -> PartitionSides.aside(cluster, node, List.of(members)))
                .toList();
    }

    @Test
    void eachNodeHasItsAddressAndTheRestHasOne() {
        assertThat(IsolatedNetwork.address(cluster, "c")).isEqualTo("10.99.0.3");
        assertThat(IsolatedNetwork.clientAddress(cluster)).isEqualTo("10.99.0.254");
        assertThat(IsolatedNetwork.address(cluster.resolve("other"), "c")).isEqualTo("127.0.0.1");
        assertThat(IsolatedNetwork.FEATURE.enter(cluster.resolve("other"), "c")).isEmpty();
    }

    /** Or a variable that is set for whatever reason would have the machine's own addresses changed. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void onlyAnotherNetworkThanTheOneOutsideIsNew() {
        assertThat(IsolatedNetwork.isNew("new")).isFalse();
        assertThat(IsolatedNetwork.isNew(NetworkNamespaces.namespace("self", "net")))
                .isFalse();
        assertThat(IsolatedNetwork.isNew("net:[1]")).isTrue();
    }

    @Test
    void anIsolatedNodeIsAside() throws IOException {
        cut("b", "a", "c", "d");

        assertThat(aside()).containsExactly("b");
    }

    @Test
    void aSpareNodeConnectsNobody() throws IOException {
        cut("b", "a", "c");

        assertThat(aside("a", "b", "c")).containsExactly("b");
        assertThat(aside()).isEmpty();
    }

    @Test
    void ofTwoHalvesTheOneWithoutTheFirstNodeIsAside() throws IOException {
        cut("c", "a", "b");
        cut("d", "a", "b");

        assertThat(aside()).containsExactly("c", "d");
    }

    @Test
    void nobodyIsAsideWhileOthersConnectTheNodes() throws IOException {
        cut("a", "c");
        cut("b", "d");

        assertThat(aside()).isEmpty();
    }

    /** Node 1 is cut off from node 2, and node 2 loses packets by chance. */
    private static String rules(int fromTwoToOne, int fromOneToTwo, int ofTwo, int toTwo) {
        return """
                table bridge ycsb_1 {
                \tchain forward {
                \t\ttype filter hook forward priority filter; policy accept;
                \t\tiifname "n1" oifname "n2" ether type ip counter packets %2$s bytes 1 drop
                \t\tiifname "n2" oifname "n1" ether type ip counter packets %1$s bytes 1 drop
                \t\tiifname "n3" oifname "n1" ether type ip counter packets 999 bytes 1 drop
                \t}
                }
                table bridge ycsb_2 {
                \tchain input {
                \t\ttype filter hook input priority filter; policy accept;
                \t\tiifname "n2" ether type ip numgen random mod 1000 < 10 counter packets %3$s bytes 1 drop
                \t}

                \tchain output {
                \t\ttype filter hook output priority filter; policy accept;
                \t\toifname "n2" ether type ip numgen random mod 1000 < 10 counter packets %4$s bytes 1 drop
                \t}
                }
                """.formatted(fromTwoToOne, fromOneToTwo, ofTwo, toTwo);
    }

    private static LostPackets ofNodeTwo(String rules) {
        return LostPackets.of(rules, "ycsb_2", "n2", LinkCut.both(Set.of("n1", "n3"), true));
    }

    @Test
    void whatTheCutOfAnotherNodeHasDroppedBeforeIsNoEffect() {
        LostPackets before = ofNodeTwo(rules(40, 60, 0, 0));

        assertThat(before).isEqualTo(new LostPackets(Dropped.NONE, new Dropped(40, 60)));
        assertThat(before.since(before.others())).isEqualTo(Dropped.NONE);
        assertThat(ofNodeTwo(rules(43, 60, 0, 5)).since(before.others()))
                .as("a packet is counted by the first rule that drops it, whoever has made that")
                .isEqualTo(new Dropped(3, 5));
        assertThat(ofNodeTwo(rules(0, 0, 2, 0)).since(before.others()))
                .as("the other node's links were mended meanwhile")
                .isEqualTo(new Dropped(2, 0));
    }

    /** Four draws of a quarter each would be fewer. */
    @Test
    void oneDrawDecidesWhichPacketsAreCorrupted() {
        String rules = LinkRules.corruption("t", "n2", 990);

        assertThat(rules.lines().filter(line -> line.startsWith("iifname") && line.contains("vmap")))
                .hasSize(2)
                .allMatch(line -> line.endsWith("numgen random mod 1000 vmap { 0-246 : jump of0, 247-493 : jump of1,"
                        + " 494-741 : jump of2, 742-989 : jump of3 }"));
        assertThat(LinkRules.corruption("t", "n2", 10))
                .contains("{ 0-1 : jump to0, 2-3 : jump to1, 4-6 : jump to2, 7-9 : jump to3 }");
    }

    @Test
    void whatAnotherNodesCableHasCorruptedIsNotLost() {
        String rules = """
                table bridge ycsb_%d {
                \tchain of0 {
                \t\tiifname "n2" ether type ip @ih,48,16 set @ih,48,16 ^ 0x1 counter packets 7 bytes 9
                \t}

                \tchain to0 {
                \t\toifname "n2" ether type ip @ih,48,16 set @ih,48,16 ^ 0x1 counter packets 3 bytes 9
                \t}
                }
                """;

        assertThat(ofNodeTwo(rules.formatted(2)).own()).isEqualTo(new Dropped(7, 3));
        assertThat(ofNodeTwo(rules.formatted(1)).others()).isEqualTo(Dropped.NONE);
    }

    @Test
    void theOptionHasTwoValues() {
        OptionReader right = new OptionReader("x", List.of(IsolatedNetwork.OPTION), Map.of("network", "isolated"));
        assertThat(IsolatedNetwork.FEATURE.wanted(right)).isTrue();
        right.check();

        OptionReader wrong = new OptionReader("x", List.of(IsolatedNetwork.OPTION), Map.of("network", "bridge"));
        IsolatedNetwork.FEATURE.wanted(wrong);
        assertThat(catchThrowable(wrong::check)).hasMessage("--network bridge: expected host or isolated");
    }
}
