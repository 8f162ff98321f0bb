package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Corruption;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Delay;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Duplication;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Flaky;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Loss;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Throttle;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The links between the nodes of an {@link IsolatedNetwork}. Packets are dropped or changed by packet filter rules on the bridge, one table
 * for each node that is troubled; they are copied by such rules, and wait in queueing disciplines ({@code tc}), at both ends of a node's
 * cable. Either outlives the process that has made it; only a flaky link needs this process, and stays as it is when that ends. Thread-safe.
 */
public final class IsolatedLinks implements Partitionable {
    private static final Pattern DROPPED = Pattern.compile(
            "(?:iifname \"(n\\d+)\" )?(?:oifname \"(n\\d+)\" )?ether type ip (?:.*numgen random mod \\d+ < \\d+ )?.*"
                    + "counter packets (\\d+) bytes \\d+( drop)?$");
    private static final Pattern TABLE = Pattern.compile("^table \\w+ (\\w+) \\{");
    private static final Pattern QUEUED = Pattern.compile("qdisc (tbf|netem) ");
    /** A queue's packets that it has passed on, packets lost, and how often one had to wait. */
    private static final Pattern COUNTED =
            Pattern.compile("Sent \\d+ bytes (\\d+) pkt \\(dropped (\\d+), overlimits (\\d+)");
    /** The finest share that the filter knows. */
    private static final int SHARES = 1000;
    /** Two packets as the network takes them; larger ones, of which the kernel makes several, are taken apart. */
    private static final long TWO_PACKETS = 3_100;

    private static final int MOMENTS_PER_SECOND = 10;
    private static final int MOMENTS_OF_WAIT = 4;
    private static final String NODE_END = "eth0";

    /** Where a bit is flipped in what a packet carries, by the places of their bytes: in its head, and in the rows behind that. */
    private static final int[] SPOILT = {6, 46, 98, 202};

    private final IsolatedNetwork network;
    private final CopiedPackets copies;
    private final PartitionSides sides;
    private final Consumer<String> beforeMending;
    /** Locks by node, each held while its trouble is changed. */
    private final Map<String, Object> locks = new ConcurrentHashMap<>();

    /** Rules by node, as far as this process has made them. */
    private final Map<String, InForce> inForce = new ConcurrentHashMap<>();

    /** By node: what rules of other nodes had dropped on its links when they were cut. */
    private final Map<String, Dropped> lostBefore = new ConcurrentHashMap<>();

    /** @param thread of a flaky link */
    private record InForce(LinkTrouble trouble, Optional<FlakyLink> thread) {}

    IsolatedLinks(IsolatedNetwork network, Consumer<String> beforeMending) {
        this.network = network;
        this.copies = new CopiedPackets(network);
        this.sides = new PartitionSides(network.folder());
        this.beforeMending = beforeMending;
    }

    @Override
    public Set<String> linked() {
        return Set.copyOf(network.nodes());
    }

    @Override
    public Optional<String> lacking(LinkTrouble trouble) {
        Optional<List<String>> discipline = discipline(trouble);
        if (discipline.isEmpty()) {
            return trouble instanceof Duplication || trouble instanceof Corruption
                    ? unfiltered(trouble)
                    : Optional.empty();
        }
        if (Launcher.program("tc").isEmpty()) {
            return Optional.of("links that are " + trouble.text()
                    + " need the program tc, of your distribution's package iproute2");
        }
        List<String> attempt = new ArrayList<>(IsolatedNetwork.fresh());
        attempt.addAll(List.of("tc", "qdisc", "add", "dev", "lo", "root"));
        attempt.addAll(discipline.get());
        ProgramOutput output = IsolatedNetwork.output(attempt);
        return output.exit() == 0
                ? Optional.empty()
                : Optional.of("links cannot be " + trouble.text() + " on this machine: tc says \"" + output.firstLine()
                        + "\"; its kernel needs the module sch_"
                        + discipline.get().get(0));
    }

    /** Why the kernel takes no rules for it. */
    private static Optional<String> unfiltered(LinkTrouble trouble) {
        List<String> attempt = new ArrayList<>(IsolatedNetwork.fresh());
        attempt.addAll(List.of(
                IsolatedNetwork.required("nft"),
                trouble instanceof Duplication
                        ? CopiedPackets.rules("t", "lo", SHARES / 2)
                        : corruption("t", "lo", SHARES / 2)));
        ProgramOutput output = IsolatedNetwork.output(attempt);
        return output.exit() == 0
                ? Optional.empty()
                : Optional.of("links cannot be " + trouble.text() + " on this machine: nft says \"" + output.firstLine()
                        + "\"; its kernel needs nf_tables with the "
                        + (trouble instanceof Duplication ? "egress hook" : "bridge family"));
    }

    /** What {@code tc} puts at each end of the cable; empty when packets are dropped and not kept waiting. */
    private static Optional<List<String>> discipline(LinkTrouble trouble) {
        if (trouble instanceof Throttle throttle) {
            long moment = throttle.bytesPerSecond() / MOMENTS_PER_SECOND;
            return Optional.of(List.of(
                    "tbf",
                    "rate",
                    8 * throttle.bytesPerSecond() + "bit",
                    "burst",
                    Long.toString(Math.max(TWO_PACKETS, moment)),
                    "limit",
                    Long.toString(Math.max(TWO_PACKETS, MOMENTS_OF_WAIT * moment))));
        }
        if (trouble instanceof Delay delay) {
            return Optional.of(List.of(
                    "netem",
                    "limit",
                    "1000000",
                    "delay",
                    micros(delay.latency()
                            .plus(delay.jitter().dividedBy(2))), // it may be less by what follows, or more
                    micros(delay.jitter().dividedBy(2))));
        }
        return Optional.empty();
    }

    private static String micros(Duration time) {
        return time.toNanos() / 1000 + "us";
    }

    /** Rules take the place of earlier ones in one step: nothing passes between the two. */
    @Override
    public void trouble(String node, LinkTrouble trouble) {
        synchronized (lock(node)) {
            Optional<InForce> before = Optional.ofNullable(inForce.remove(node));
            before.flatMap(InForce::thread).ifPresent(FlakyLink::end);
            if (before.filter(each -> discipline(each.trouble()).isPresent()).isPresent()) {
                unqueue(node);
            }
            if (before.filter(each -> each.trouble() instanceof Duplication).isPresent()) {
                copies.end(node, table(node));
            }
            // Of a cable that is bad, its node is aside: whoever drops whom, the others' word counts.
            sides.note(node, trouble instanceof LinkCut cut ? cut : unplugged(node));
            Optional<List<String>> discipline = discipline(trouble);
            Optional<FlakyLink> thread = Optional.empty();
            if (discipline.isPresent()) {
                plugIn(node);
                ends(node).forEach(end -> tc(end, "replace", discipline.get()));
            } else if (trouble instanceof LinkCut cut) {
                cut(node, cut);
            } else if (trouble instanceof Loss loss) {
                everyPacket(node, link -> rule(link, chance(loss.share())));
            } else if (trouble instanceof Corruption corruption) {
                filter(emptied(node) + corruption(table(node), network.port(node), thousandths(corruption.share())));
            } else if (trouble instanceof Duplication duplication) {
                plugIn(node);
                copies.begin(node, table(node), thousandths(duplication.share()));
            } else {
                LinkCut unplugged = unplugged(node);
                thread = Optional.of(new FlakyLink(
                        node,
                        (Flaky) trouble,
                        () -> cut(node, unplugged),
                        () -> plugIn(node),
                        () -> lookForCut(node, unplugged)));
                thread.get().begin();
            }
            inForce.put(node, new InForce(trouble, thread));
        }
    }

    private Object lock(String node) {
        return locks.computeIfAbsent(node, id -> new Object());
    }

    /** Everything is cut off. */
    private LinkCut unplugged(String node) {
        return LinkCut.both(
                network.nodes().stream().filter(other -> !other.equals(node)).collect(Collectors.toSet()), true);
    }

    private void cut(String node, LinkCut cut) {
        StringBuilder forward = new StringBuilder();
        cut.to().stream().sorted().forEach(other -> forward.append(drop(node, other)));
        cut.from().stream().sorted().forEach(other -> forward.append(drop(other, node)));
        // Asked before, as the node of a flaky link is to be out no longer than its plan says.
        Dropped before = lost(node, cut).others();
        // What the bridge passes to and from its own host.
        rules(
                node,
                forward.toString(),
                cut.toClients() ? rule(incoming(node), "") : "",
                cut.fromClients() ? rule(outgoing(node), "") : "");
        lostBefore.put(node, before);
    }

    /** The same for each packet of the node and to it. */
    private void everyPacket(String node, UnaryOperator<String> rule) {
        String in = rule.apply(incoming(node));
        String out = rule.apply(outgoing(node));
        rules(node, in + out, in, out);
    }

    private static long thousandths(double share) {
        return Math.round(share * SHARES);
    }

    private static String chance(double share) {
        return chance(thousandths(share));
    }

    private static String chance(long thousandths) {
        return "numgen random mod %d < %d ".formatted(SHARES, thousandths);
    }

    /** Chains, one for each place: a packet that is too short for it has no bit there, and is not counted. */
    private static String spoilers(String link, String name) {
        return IntStream.range(0, SPOILT.length)
                .mapToObj(i -> {
                    String place = "@ih," + 8 * SPOILT[i] + ",16";
                    return "chain " + name + i + " { " + link + "ether type ip " + place + " set " + place
                            + " ^ 0x1 counter\n}\n";
                })
                .collect(Collectors.joining());
    }

    /** One draw for each packet, so that the places together have the share; what does not divide is the last ones'. */
    private static String corrupted(String link, String name, long thousandths) {
        List<String> places = new ArrayList<>();
        long from = 0;
        for (int i = 0; i < SPOILT.length; i++) {
            long until = from + (thousandths + i) / SPOILT.length;
            if (until > from) {
                places.add(from + "-" + (until - 1) + " : jump " + name + i);
            }
            from = until;
        }
        return link + "ether type ip meta l4proto { tcp, udp } numgen random mod " + SHARES + " vmap { "
                + String.join(", ", places) + " }\n";
    }

    /** The rules by which bits are flipped in packets of a port, and to it. */
    static String corruption(String table, String port, long thousandths) {
        String incoming = "iifname \"" + port + "\" ";
        String outgoing = "oifname \"" + port + "\" ";
        String in = corrupted(incoming, "of", thousandths);
        String out = corrupted(outgoing, "to", thousandths);
        return table(table, spoilers(incoming, "of") + spoilers(outgoing, "to"), in + out, in, out);
    }

    private void rules(String node, String forward, String input, String output) {
        filter(emptied(node) + table(table(node), "", forward, input, output));
    }

    private static String table(String table, String chains, String forward, String input, String output) {
        return """
                table bridge %s {
                %schain forward { type filter hook forward priority 0;
                %s}
                chain input { type filter hook input priority 0;
                %s}
                chain output { type filter hook output priority 0;
                %s}
                }
                """.formatted(table, chains, forward, input, output);
    }

    /** What the bridge gets from the node. */
    private String incoming(String node) {
        return "iifname \"" + network.port(node) + "\" ";
    }

    /** What the bridge sends to the node. */
    private String outgoing(String node) {
        return "oifname \"" + network.port(node) + "\" ";
    }

    private String drop(String sender, String receiver) {
        return rule(incoming(sender) + outgoing(receiver), "");
    }

    /** Addresses are still resolved, as a failure of that would be reported to the sender. */
    private static String rule(String link, String chance) {
        return link + "ether type ip " + chance + "counter drop\n";
    }

    private Set<String> ports(Set<String> some) {
        return some.stream().map(network::port).collect(Collectors.toSet());
    }

    private String table(String node) {
        return "ycsb_" + network.number(node);
    }

    /** Removes the node's table, whether it is there or not, in one step with what follows. */
    private String emptied(String node) {
        return "table bridge " + table(node) + "\ndelete table bridge " + table(node) + "\n";
    }

    /** The beginning of the commands that concern the two ends of the node's cable, and the device there. */
    private List<List<String>> ends(String node) {
        List<String> there = new ArrayList<>(network.into(node));
        there.addAll(List.of(IsolatedNetwork.required("tc"), NODE_END));
        return List.of(List.of(IsolatedNetwork.required("tc"), network.port(node)), there);
    }

    private static String tc(List<String> end, String what, List<String> discipline) {
        int last = end.size() - 1;
        List<String> command = new ArrayList<>(end.subList(0, last));
        command.addAll(List.of("-s", "qdisc", what, "dev", end.get(last), "root"));
        command.addAll(discipline);
        return IsolatedNetwork.run(command);
    }

    @Override
    public Sight look(String node, LinkTrouble trouble) {
        if (trouble instanceof LinkCut cut) {
            return lookForCut(node, cut);
        }
        if (trouble instanceof Flaky) {
            return Optional.ofNullable(inForce.get(node))
                    .flatMap(InForce::thread)
                    .map(FlakyLink::look)
                    .orElseGet(() -> new Sight(false, "the links of " + node + " are not flaky any more"));
        }
        if (trouble instanceof Loss || trouble instanceof Corruption) {
            // What others drop is not lost by chance.
            Dropped lost = lost(node, unplugged(node)).own();
            return new Sight(
                    lost.out() + lost.in() > 0,
                    lost.out() + " packets of " + node + " and " + lost.in() + " packets to " + node + " were "
                            + (trouble instanceof Loss ? "lost" : "corrupted"));
        }
        if (trouble instanceof Duplication) {
            return copies.look(node, table(node));
        }
        long lost = 0;
        long limited = 0;
        long sent = 0;
        for (List<String> end : ends(node)) {
            for (Matcher queue = COUNTED.matcher(tc(end, "show", List.of())); queue.find(); ) {
                sent += Long.parseLong(queue.group(1));
                lost += Long.parseLong(queue.group(2));
                limited += Long.parseLong(queue.group(3));
            }
        }
        return trouble instanceof Throttle
                ? new Sight(
                        lost + limited > 0,
                        "packets of and to " + node + " had to wait " + limited + " times, and " + lost + " were lost")
                : new Sight(sent > 0, sent + " packets of and to " + node + " were delayed");
    }

    private Sight lookForCut(String node, LinkCut cut) {
        if (!filtered(node)) {
            return new Sight(false, "no link of " + node + " is cut");
        }
        Dropped lost = lost(node, cut).since(lostBefore.getOrDefault(node, Dropped.NONE));
        String said = Stream.of(
                        cut.outgoing() ? lost.out() + " packets of " + node : "",
                        cut.incoming() ? lost.in() + " packets to " + node : "")
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" and "));
        return new Sight(
                (lost.out() > 0 || !cut.outgoing()) && (lost.in() > 0 || !cut.incoming()),
                said + " were lost, " + cut.text());
    }

    /** Packets that a node has sent, and that were sent to it. */
    record Dropped(long out, long in) {
        static final Dropped NONE = new Dropped(0, 0);

        Dropped plus(Dropped more) {
            return new Dropped(out + more.out, in + more.in);
        }
    }

    /**
     * Packets that were lost on links of a node.
     *
     * @param own dropped by rules of its own, which are new with each trouble
     * @param others dropped by rules of the nodes at the other ends
     */
    record Lost(Dropped own, Dropped others) {

        /** A packet is counted by the first rule that drops it, which may be one of the other end's; these may have been there before. */
        Dropped since(Dropped before) {
            return own.plus(new Dropped(Math.max(0, others.out - before.out), Math.max(0, others.in - before.in)));
        }

        /**
         * Reads what the packet filter says.
         *
         * @param rules all of its rules
         * @param table that of the node
         * @param port the bridge's port to the node
         * @param links with ports in place of nodes
         */
        static Lost of(String rules, String table, String port, LinkCut links) {
            Dropped own = Dropped.NONE;
            Dropped others = Dropped.NONE;
            String current = "";
            for (String line : rules.lines().toList()) {
                Matcher begins = TABLE.matcher(line);
                Matcher rule = DROPPED.matcher(line);
                if (begins.find()) {
                    current = begins.group(1);
                } else if (rule.find()) {
                    String from = rule.group(1);
                    String to = rule.group(2);
                    long packets = Long.parseLong(rule.group(3));
                    boolean sent = port.equals(from)
                            && (to == null ? links.toClients() : links.to().contains(to));
                    boolean received = port.equals(to)
                            && (from == null
                                    ? links.fromClients()
                                    : links.from().contains(from));
                    Dropped dropped = new Dropped(sent ? packets : 0, received ? packets : 0);
                    own = current.equals(table) ? own.plus(dropped) : own;
                    // What another node's rule has corrupted is not lost.
                    others = current.equals(table) || rule.group(4) == null ? others : others.plus(dropped);
                }
            }
            return new Lost(own, others);
        }
    }

    private Lost lost(String node, LinkCut links) {
        LinkCut ports = new LinkCut(ports(links.to()), ports(links.from()), links.toClients(), links.fromClients());
        return Lost.of(nft("list", "ruleset", "bridge"), table(node), network.port(node), ports);
    }

    @Override
    public void mend(String node) {
        calm(node);
    }

    @Override
    public boolean mendAll() {
        return network.nodes().stream().filter(this::calm).count() > 0;
    }

    /** Takes away whatever troubles the node, whoever has made it; returns whether there was something. */
    private boolean calm(String node) {
        synchronized (lock(node)) {
            Optional.ofNullable(inForce.remove(node)).flatMap(InForce::thread).ifPresent(FlakyLink::end);
            boolean filtered = filtered(node);
            boolean troubled = filtered || sides.isNoted(node);
            if (troubled) {
                beforeMending.accept(node);
            }
            if (filtered) {
                filter(emptied(node));
            }
            troubled |= unqueue(node);
            troubled |= copies.end(node, table(node));
            sides.forget(node);
            return troubled;
        }
    }

    private void plugIn(String node) {
        if (filtered(node)) {
            beforeMending.accept(node);
            filter(emptied(node));
        }
    }

    private boolean unqueue(String node) {
        boolean any = false;
        if (Launcher.program("tc").isPresent() && network.isThere(node)) {
            for (List<String> end : ends(node)) {
                if (QUEUED.matcher(tc(end, "show", List.of())).find()) {
                    tc(end, "del", List.of());
                    any = true;
                }
            }
        }
        return any;
    }

    /** Whether packets of the node may be dropped. */
    private boolean filtered(String node) {
        return nft("list", "tables", "bridge").lines().anyMatch(line -> line.strip()
                .endsWith(" " + table(node)));
    }

    private static String nft(String... question) {
        List<String> command = new ArrayList<>(List.of(IsolatedNetwork.required("nft")));
        command.addAll(List.of(question));
        return IsolatedNetwork.run(command);
    }

    private void filter(String rules) {
        // From no file: one would be left when this process is killed.
        IsolatedNetwork.run(List.of(IsolatedNetwork.required("nft"), "-f", "-"), Optional.of(rules));
    }
}
