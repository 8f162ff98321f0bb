package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.polled.ClusterHistory;
import java.util.List;
import java.util.Optional;

/**
 * Makes events of the differences between one state of a group and the next. A node is down when its Patroni answers no more and no primary
 * streams to it, when its PostgreSQL does not run, when another node has become primary in its place, or when the primary no longer streams
 * to it. The failure of a primary is handled when another one takes writes, that of a replica when no commit waits for it. A node is
 * recovered when it is the primary, or streams from it, on its timeline, and has applied what the primary had written when that was first
 * seen. Owned by one thread.
 */
final class HostedHistory extends ClusterHistory<HostedGroup, HostedHistory.Node> {
    /** A primary keeps a replica that is silent in its list for a minute; a replica follows a new primary some seconds late. */
    private static final int LONG = 20;

    /** What is known of a node. */
    static final class Node {
        private boolean primary;
        /** Whether commits waited for it when the primary last streamed to it. */
        private boolean waitedFor;

        private boolean down;
        private boolean handled;
        private boolean unhandled;
        private boolean started;
        private boolean synchronising;
        /** What it has to have applied; 0 until it streams. */
        private long target;
        /** The primary that has had it as a replica; empty at first. */
        private String sender = "";

        private String state = "";
        private final Misses silent = new Misses();
        /** Counts the questions in a row at which there was a primary that did not stream to it. */
        private final Misses unsent = new Misses();
        /** Counts the questions in a row at which PostgreSQL ran nowhere. */
        private final Misses unserved = new Misses();
    }

    /** @param names the nodes, all of which serve so far as is known */
    HostedHistory(List<String> names) {
        super(names, Node::new, "patroni");
    }

    @Override
    protected void take(String name, Node node, HostedGroup group, Teller teller) {
        // One that cannot ask its PostgreSQL says nothing of it.
        Optional<HostedMember> member = group.of(name)
                .filter(HostedMember::there)
                .filter(said -> !said.state().equals("unknown"));
        if (node.silent.begin(member.isPresent(), teller) && !node.down) {
            teller.tell(Signal.NOTE, "the Patroni of " + name + " does not answer");
        }
        node.unserved.begin(group.anyRuns(), teller);
        if (!node.down) {
            fail(name, node, group, member, teller);
        } else if (node.started && isSilent(name, node, group)) {
            node.down = false;
            down(node, name + " has failed again: its Patroni does not answer", teller, node.silent.sinceNanos());
        }
        if (node.down) {
            handle(name, node, group, teller);
            comeBack(name, node, group, member, teller);
        } else {
            node.primary = group.isPrimary(name);
            if (group.streams(name)) {
                node.waitedFor = group.waitsFor(name);
            }
        }
    }

    private static boolean isSilent(String name, Node node, HostedGroup group) {
        return group.streams(name) ? node.silent.atLeast(LONG) : node.silent.many();
    }

    private static void fail(String name, Node node, HostedGroup group, Optional<HostedMember> member, Teller teller) {
        Optional<HostedMember> primary = group.primary();
        boolean streams = group.streams(name);
        if (streams) {
            node.sender = primary.orElseThrow().node();
        }
        boolean lost = group.servedByAnother(name) && !streams;
        node.unsent.begin(!lost, teller);
        boolean byTheSame = lost && primary.orElseThrow().node().equals(node.sender);
        if (isSilent(name, node, group)) {
            down(node, "its Patroni does not answer", teller, node.silent.sinceNanos());
        } else if (member.isPresent() && member.get().server().isEmpty() && !streams) {
            down(node, "PostgreSQL is " + member.get().state(), teller, teller.atNanos());
        } else if (node.primary && group.servedByAnother(name)) {
            String text = primary.orElseThrow().node() + " is primary in its place, on timeline "
                    + primary.orElseThrow().timeline();
            // What was silent before is down since then.
            down(node, text, teller, member.isEmpty() ? node.silent.sinceNanos() : teller.atNanos());
        } else if (byTheSame ? node.unsent.many() : node.unsent.atLeast(LONG)) {
            down(
                    node,
                    primary.orElseThrow().node() + ", the primary, does not stream to it",
                    teller,
                    node.unsent.sinceNanos());
        }
    }

    private static void handle(String name, Node node, HostedGroup group, Teller teller) {
        if (node.handled || node.started) {
            return;
        }
        // When the one that commits waited for is gone they hang until the primary waits for another one, or for none,
        // which it does not say.
        boolean waits = node.waitedFor && !node.primary && !group.waitsForAnother(name);
        if (group.servedByAnother(name) && !waits) {
            node.handled = true;
            String primary = group.primary().orElseThrow().node();
            teller.tell(
                    Signal.FAILURE_HANDLED,
                    node.primary ? primary + " takes writes" : "the primary, " + primary + ", does not wait for it");
        } else if (!node.unhandled && node.unserved.many()) {
            node.unhandled = true;
            teller.tell(Signal.UNHANDLED, "PostgreSQL runs on no node that could handle the failure of " + name);
        }
    }

    @Override
    protected void lost(Node node, Teller teller) {
        down(node, "no Patroni answers", teller, teller.atNanos());
    }

    private static void down(Node node, String text, Teller teller, long sinceNanos) {
        if (!node.down) {
            node.down = true;
            node.handled = false;
            node.unhandled = false;
            node.started = false;
            node.synchronising = false;
            node.target = 0;
            node.sender = "";
            node.state = "";
            teller.tell(Signal.NODE_DOWN, text, sinceNanos);
        }
    }

    private static void comeBack(
            String name, Node node, HostedGroup group, Optional<HostedMember> member, Teller teller) {
        if (member.isEmpty()) {
            return;
        }
        HostedMember now = member.get();
        boolean serves = group.serves(name);
        // A former primary that PostgreSQL runs on as a replica while nobody takes writes has not begun to recover.
        boolean open = node.primary && !node.handled && !node.unhandled && !now.comes();
        if (!node.started && (serves || now.comes() || now.replica() && !open)) {
            node.started = true;
            teller.tell(Signal.PROCESS_STARTED, "PostgreSQL is " + now.state());
        }
        if (!node.started) {
            return;
        }
        if (group.isPrimary(name)) {
            recovered(node, "it is primary, on timeline " + now.timeline(), teller);
            node.primary = true;
            return;
        }
        boolean copies = now.state().startsWith("creating replica");
        String primary = group.primary().map(HostedMember::node).orElse("");
        String streams = "streams from " + primary + " on timeline " + now.timeline();
        if (!node.synchronising && (copies || serves)) {
            node.synchronising = true;
            teller.tell(Signal.SYNCHRONISE_STARTED, copies ? "PostgreSQL is " + now.state() : streams);
        } else if (!now.state().equals(node.state)) {
            teller.tell(Signal.STEP, "PostgreSQL is " + now.state());
        }
        node.state = now.state();
        if (!serves) {
            node.target = 0;
        } else if (node.target == 0) {
            node.target = group.primary().orElseThrow().position();
        } else if (now.position() >= node.target) {
            node.primary = false;
            recovered(node, streams + " and has applied what that had written when this was first seen", teller);
        }
    }

    private static void recovered(Node node, String text, Teller teller) {
        node.down = false;
        node.unsent.begin(true, teller);
        teller.tell(Signal.RECOVERED, text);
    }
}
