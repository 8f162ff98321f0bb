package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.os.LostPackets.Dropped;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Corruption;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Duplication;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Flaky;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Loss;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Throttle;
import io.ycsbdrill.fault.node.trouble.Partitionable;
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
import java.util.stream.Stream;

/**
 * The links between the nodes of an {@link IsolatedNetwork}. Packets are dropped or changed by packet filter rules on the bridge, one table
 * for each node that is troubled; they are copied by such rules, and wait in queueing disciplines ({@code tc}), at both ends of a node's
 * cable. Either outlives the process that has made it; only a flaky link needs this process, and stays as it is when that ends. Thread-safe.
 */
public final class IsolatedLinks implements Partitionable {
    private static final Pattern QUEUED = Pattern.compile("qdisc (tbf|netem) ");
    /** A queue's packets that it has passed on, packets lost, and how often one had to wait. */
    private static final Pattern COUNTED =
            Pattern.compile("Sent \\d+ bytes (\\d+) pkt \\(dropped (\\d+), overlimits (\\d+)");

    private static final String NODE_END = "eth0";

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
        return LinkTrial.lacking(trouble);
    }

    /** Rules take the place of earlier ones in one step: nothing passes between the two. */
    @Override
    public void trouble(String node, LinkTrouble trouble) {
        synchronized (lock(node)) {
            Optional<InForce> before = Optional.ofNullable(inForce.remove(node));
            before.flatMap(InForce::thread).ifPresent(FlakyLink::end);
            if (before.filter(each -> LinkQueues.discipline(each.trouble()).isPresent())
                    .isPresent()) {
                unqueue(node);
            }
            if (before.filter(each -> each.trouble() instanceof Duplication).isPresent()) {
                copies.end(node, table(node));
            }
            // Of a cable that is bad, its node is aside: whoever drops whom, the others' word counts.
            sides.note(node, trouble instanceof LinkCut cut ? cut : unplugged(node));
            Optional<List<String>> discipline = LinkQueues.discipline(trouble);
            Optional<FlakyLink> thread = Optional.empty();
            if (discipline.isPresent()) {
                plugIn(node);
                ends(node).forEach(end -> tc(end, "replace", discipline.get()));
            } else if (trouble instanceof LinkCut cut) {
                cut(node, cut);
            } else if (trouble instanceof Loss loss) {
                everyPacket(node, link -> LinkRules.drop(link, LinkRules.chance(loss.share())));
            } else if (trouble instanceof Corruption corruption) {
                filter(emptied(node)
                        + LinkRules.corruption(
                                table(node), network.port(node), LinkRules.thousandths(corruption.share())));
            } else if (trouble instanceof Duplication duplication) {
                plugIn(node);
                copies.begin(node, table(node), LinkRules.thousandths(duplication.share()));
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
                cut.toClients() ? LinkRules.drop(incoming(node), "") : "",
                cut.fromClients() ? LinkRules.drop(outgoing(node), "") : "");
        lostBefore.put(node, before);
    }

    /** The same for each packet of the node and to it. */
    private void everyPacket(String node, UnaryOperator<String> rule) {
        String in = rule.apply(incoming(node));
        String out = rule.apply(outgoing(node));
        rules(node, in + out, in, out);
    }

    private void rules(String node, String forward, String input, String output) {
        filter(emptied(node) + LinkRules.table(table(node), "", forward, input, output));
    }

    /** What the bridge gets from the node. */
    private String incoming(String node) {
        return LinkRules.incoming(network.port(node));
    }

    /** What the bridge sends to the node. */
    private String outgoing(String node) {
        return LinkRules.outgoing(network.port(node));
    }

    private String drop(String sender, String receiver) {
        return LinkRules.drop(incoming(sender) + outgoing(receiver), "");
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
        there.addAll(List.of(NetworkNamespaces.required("tc"), NODE_END));
        return List.of(List.of(NetworkNamespaces.required("tc"), network.port(node)), there);
    }

    private static String tc(List<String> end, String what, List<String> discipline) {
        int last = end.size() - 1;
        List<String> command = new ArrayList<>(end.subList(0, last));
        command.addAll(List.of("-s", "qdisc", what, "dev", end.get(last), "root"));
        command.addAll(discipline);
        return NetworkNamespaces.run(command);
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
                        "packets of and to " + node + " had to wait " + (limited == 1 ? "once" : limited + " times")
                                + ", and " + lost + " were lost")
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

    private LostPackets lost(String node, LinkCut links) {
        LinkCut ports = new LinkCut(ports(links.to()), ports(links.from()), links.toClients(), links.fromClients());
        return LostPackets.of(nft("list", "ruleset", "bridge"), table(node), network.port(node), ports);
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
        List<String> command = new ArrayList<>(List.of(NetworkNamespaces.required("nft")));
        command.addAll(List.of(question));
        return NetworkNamespaces.run(command);
    }

    private void filter(String rules) {
        // From no file: one would be left when this process is killed.
        NetworkNamespaces.run(List.of(NetworkNamespaces.required("nft"), "-f", "-"), Optional.of(rules));
    }
}
