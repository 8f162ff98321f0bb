package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What this machine has for networks of their own: its namespaces, and the programs that enter them and work in them. Stateless. */
public final class NetworkNamespaces {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final List<String> PROGRAMS = List.of("unshare", "nsenter", "setpriv", "ip", "nft", "tail");
    /** What a privileged process has: CAP_NET_ADMIN and CAP_SYS_ADMIN. */
    private static final long PRIVILEGES = 1L << 12 | 1L << 21;

    private NetworkNamespaces() {}

    /** The beginning of a command line that runs in a network of its own, which ends with it. */
    static List<String> fresh() {
        List<String> command = new ArrayList<>(List.of(required("unshare")));
        if (!privileged()) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("--net", "--"));
        command.addAll(Launcher.endingWithItsStarter());
        return command;
    }

    /**
     * The beginning of a command line that runs in the network of a process.
     *
     * @param keeper its id
     */
    static List<String> entry(long keeper) {
        String pid = Long.toString(keeper);
        List<String> command = new ArrayList<>(List.of(required("nsenter"), "--target", pid));
        if (!namespace("self", "user").equals(namespace(pid, "user"))) {
            command.addAll(List.of("--user", "--preserve-credentials"));
        }
        command.addAll(List.of("--net", "--"));
        command.addAll(Launcher.endingWithItsStarter());
        return command;
    }

    private static boolean privileged() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("CapEff:"))
                    .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .anyMatch(own -> (own & PRIVILEGES) == PRIVILEGES);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The name of a namespace.
     *
     * @param process its id, or {@code self}
     * @param kind {@code net} or {@code user}
     */
    static String namespace(String process, String kind) {
        return NodeIo.get(
                "the " + kind + " namespace of process " + process + " is not known",
                () -> Files.readSymbolicLink(Path.of("/proc", process, "ns", kind))
                        .toString());
    }

    /** The programs that are needed and not found. */
    static List<String> missing() {
        return PROGRAMS.stream()
                .filter(name -> Launcher.program(name).isEmpty())
                .toList();
    }

    /** @throws NodeControlException when it is not found */
    static String required(String program) {
        return Launcher.program(program)
                .orElseThrow(() -> new NodeControlException(
                        program + " is not found on this machine, which --" + IsolatedNetwork.SWITCH + " needs"));
    }

    /** Whether this machine allows such a network: everything that it consists of is tried, in a namespace that is gone afterwards. */
    public static Finding diagnose() {
        String feature = "--" + IsolatedNetwork.SWITCH + " (partitions between data nodes)";
        List<String> missing = missing();
        if (!missing.isEmpty()) {
            return Finding.note(feature + " is not possible: " + String.join(", ", missing)
                    + " not found; install your distribution's packages util-linux, iproute2 and nftables");
        }
        List<String> command = fresh();
        command.addAll(List.of("sh", "-ec", """
                ip link add name ycsb0 type bridge
                ip link add name n1 type veth peer name eth0
                echo 'table bridge t {
                chain c { type filter hook forward priority 0;
                ether type ip counter drop
                }
                }' | nft -f -
                """));
        try {
            ProgramOutput output = ProgramOutput.of(command);
            return output.exit() == 0
                    ? Finding.ok(feature + " is possible")
                    : Finding.note(feature + " is not possible: " + output.firstLine()
                            + "; a user who is not root needs user namespaces (sysctl user.max_user_namespaces,"
                            + " kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns), and the kernel"
                            + " veth, bridge and nf_tables for bridges");
        } catch (IOException e) {
            return Finding.note(feature + " is not possible: " + e.getMessage());
        }
    }

    /** What a program that works on the network prints. */
    static String run(List<String> command) {
        return run(command, Optional.empty());
    }

    /** The same of one that reads what to do. */
    static String run(List<String> command, Optional<String> input) {
        ProgramOutput output = output(command, input);
        if (output.exit() != 0) {
            throw new NodeControlException(
                    "the cluster's isolated network: " + command.get(0) + " ended with exit status " + output.exit()
                            + ": " + output.text().strip() + "; see what ycsb doctor says about --"
                            + IsolatedNetwork.SWITCH);
        }
        return output.text();
    }

    static ProgramOutput output(List<String> command) {
        return output(command, Optional.empty());
    }

    private static ProgramOutput output(List<String> command, Optional<String> input) {
        return NodeIo.get(
                "the cluster's isolated network: " + command.get(0) + " cannot be run",
                () -> ProgramOutput.of(command, input, BOUND));
    }
}
