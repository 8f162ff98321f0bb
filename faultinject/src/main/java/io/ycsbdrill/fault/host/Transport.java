package io.ycsbdrill.fault.host;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * A way to run a program on a host. All that a transport knows is which command line of this machine does it: input, output and
 * exit code are those of the program there. Files travel through it, too, as the input or output of {@code tar}.
 */
public enum Transport {
    /** This machine. */
    LOCAL {
        @Override
        public List<String> line(Host host, List<String> command) {
            return List.copyOf(command);
        }
    },

    /**
     * OpenSSH, with the keys, agent and configuration of the user. It never asks: an unknown host key, or a missing key of the
     * user's, is a failure. What the host's shell reads is quoted.
     */
    SSH {
        @Override
        public List<String> line(Host host, List<String> command) {
            List<String> line = new ArrayList<>(List.of("ssh", "-T", "-o", "BatchMode=yes"));
            line.addAll(
                    List.of("-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"));
            host.sshConfig().ifPresent(file -> line.addAll(List.of("-F", file)));
            host.port().ifPresent(port -> line.addAll(List.of("-o", "Port=" + port)));
            host.user().ifPresent(user -> line.addAll(List.of("-l", user)));
            line.addAll(List.of("--", host.address()));
            line.add(command.stream().map(Transport::quoted).collect(Collectors.joining(" ")));
            return line;
        }
    },

    /** A container of Docker's on this machine, or wherever {@code DOCKER_HOST} or the context of the user's says. */
    DOCKER,

    /** A container of Podman's. */
    PODMAN,

    /** A pod of Kubernetes; which cluster, the user's configuration says, or {@code context}. */
    KUBECTL {
        @Override
        public List<String> line(Host host, List<String> command) {
            List<String> line = kubectl(host);
            line.addAll(List.of("exec", "-i", host.address()));
            host.container().ifPresent(container -> line.addAll(List.of("-c", container)));
            line.add("--");
            line.addAll(command);
            return line;
        }

        @Override
        public Map<String, List<String>> own(Host host) {
            List<String> kill = kubectl(host);
            kill.addAll(List.of("delete", "pod", host.address(), "--grace-period=0", "--force", "--wait=false"));
            List<String> stop = kubectl(host);
            stop.addAll(List.of("delete", "pod", host.address(), "--grace-period=" + STOP_SECONDS));
            List<String> start = new ArrayList<>(List.of("sh", "-c", START, "sh", host.address()));
            start.addAll(kubectl(host));
            return Map.of("kill", kill, "stop", stop, "start", start);
        }

        @Override
        public Host pinned(Host host) {
            List<String> line = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2>/dev/null", "sh"));
            line.addAll(kubectl(host));
            line.addAll(List.of("config", "view", "--minify", "-o", CHOSEN));
            return host.context().isPresent() && host.namespace().isPresent()
                    ? host
                    : CHOICES.computeIfAbsent(
                                    line,
                                    asked -> Io.or(
                                            Optional.empty(), () -> Optional.of(ProgramOutput.of(asked, ASK_BOUND))))
                            .map(said -> chosen(host, said))
                            .orElse(host);
        }
    };

    /** A day, as long as the longest bound of an inventory: whoever waits gives up first, and nothing is killed instead. */
    private static final String STOP_SECONDS = "86400";

    /**
     * There may be no pod at all for some time, and one that is about to end is ready until its server has ended: that of its controller that
     * follows is meant. How long that may take, the caller knows.
     */
    private static final String START = "pod=$1; shift; until"
            + " [ -z \"$(\"$@\" get pod \"$pod\" -o 'jsonpath={.metadata.deletionTimestamp}')\" ] &&"
            + " \"$@\" wait --for=condition=Ready \"pod/$pod\" --timeout=10s; do sleep 1; done";

    /** A context and, on the next line, its namespace where it has one. */
    private static final String CHOSEN = "jsonpath={.current-context}{\"\\n\"}{.contexts[0].context.namespace}";

    /** What was said, by the question: once for all hosts, and for as long as this process lives. */
    private static final Map<List<String>, Optional<ProgramOutput>> CHOICES = new ConcurrentHashMap<>();

    private static final Duration ASK_BOUND = Duration.ofSeconds(10);

    /** As in an inventory: {@code ssh}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The command line of this machine that runs a program on the host.
     *
     * @param command the program and its arguments, which arrive there as they are, whatever characters they have
     */
    public List<String> line(Host host, List<String> command) {
        List<String> line = new ArrayList<>(List.of(label(), "exec", "-i"));
        host.user().ifPresent(user -> line.addAll(List.of("-u", user)));
        line.add(host.address());
        line.addAll(command);
        return line;
    }

    /** Whether hosts are machines, which are there while a node on them is down. */
    public boolean ofMachines() {
        return this == LOCAL || this == SSH;
    }

    /** The program that starts and ends containers; empty where hosts are none. */
    public Optional<String> engine() {
        return this == DOCKER || this == PODMAN ? Optional.of(label()) : Optional.empty();
    }

    /**
     * What can be done to the whole host by command lines of this machine, by the name of the action: for a pod, which its controller
     * replaces. Empty for others.
     */
    public Map<String, List<String>> own(Host host) {
        return Map.of();
    }

    /**
     * The host that was meant when this process asked first, also when somebody chooses another cluster for the same names later; the host
     * itself where nothing can be chosen, or nobody says what is.
     */
    public Host pinned(Host host) {
        return host;
    }

    /** @param said by kubectl, which in a pod may have nothing to choose from */
    static Host chosen(Host host, ProgramOutput said) {
        String[] lines = said.text().strip().split("\n");
        return said.exit() != 0 || !Host.CONTEXT.matcher(lines[0]).matches()
                ? host
                : new Host(
                        host.transport(),
                        host.address(),
                        host.user(),
                        host.port(),
                        host.sshConfig(),
                        host.namespace().or(() -> Optional.of(lines)
                                .filter(two -> two.length > 1)
                                .map(two -> two[1])),
                        Optional.of(lines[0]),
                        host.container(),
                        host.addresses());
    }

    private static List<String> kubectl(Host host) {
        List<String> line = new ArrayList<>(List.of("kubectl"));
        host.context().ifPresent(context -> line.addAll(List.of("--context", context)));
        host.namespace().ifPresent(namespace -> line.addAll(List.of("--namespace", namespace)));
        return line;
    }

    /** One word for any POSIX shell. */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
