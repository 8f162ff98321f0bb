package io.ycsbdrill.fault.node.ndb;

import io.netty.channel.EventLoop;
import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.EventListeners;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.EventStream;
import io.ycsbdrill.fault.node.ndb.mgm.MgmClient;
import io.ycsbdrill.fault.node.ndb.mgm.MgmEvent;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a cluster's events and notifies listeners of what they mean. The mapper belongs to the event loop's thread
 * ({@code ndb-events}), which also calls the listeners; the state after a gap is asked for on {@code ndb-status}.
 */
final class NdbWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NdbWatch.class);
    private static final Duration SILENCE = Duration.ofSeconds(5);
    static final Duration OPEN_BOUND = Duration.ofSeconds(15);

    /**
     * So long a management server that was just started is given to reach the nodes. One that it reaches later is taken for
     * down until then.
     */
    static final Duration CONTACT_BOUND = Duration.ofSeconds(15);

    private static final int CONTACT_POLL_MILLIS = 100;

    private final MgmClient client;
    private final List<Integer> dataNodes;
    private final EventLoop loop;
    private final NdbEventMapper mapper;
    private final EventStream stream;
    private final EventListeners listeners = new EventListeners();
    private final ExecutorService asking;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Duration openBound;
    private final Duration contactBound;
    private final IntFunction<Optional<Boolean>> processRuns;
    private volatile String lastReason = "";
    private volatile long connections;
    private boolean connected;
    /** The look that is under way; null when there is none. */
    private Look current;

    /**
     * @param loop the single thread on which every event is reported
     * @param openBound longest time that {@link #open} waits
     * @param contactBound how long a server that was just started is given to reach the nodes
     * @param processRuns whether a node's process runs; empty when that is not known
     */
    NdbWatch(
            MgmClient client,
            List<Integer> dataNodes,
            EventLoop loop,
            Duration openBound,
            Duration contactBound,
            IntFunction<Optional<Boolean>> processRuns) {
        this.openBound = openBound;
        this.contactBound = contactBound;
        this.processRuns = processRuns;
        this.client = client;
        this.dataNodes = List.copyOf(dataNodes);
        this.loop = loop;
        this.mapper = new NdbEventMapper(dataNodes, listeners::tell, this::knownToRun);
        this.stream = new EventStream(client.servers(), loop, SILENCE, new StreamListener());
        this.asking = Executors.newSingleThreadExecutor(task -> Daemon.thread(task, "ndb-status"));
    }

    /**
     * Subscribes and returns when events flow and the state of every node is known.
     *
     * @throws NodeControlException when no management server grants it in time, or the state of a node is not known by then
     */
    void open() {
        stream.open();
        try {
            ready.get(openBound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while subscribing to the events of " + client.servers(), e);
        } catch (TimeoutException | ExecutionException e) {
            close();
            throw new NodeControlException(
                    "the nodes of " + client.servers() + " cannot be followed after " + openBound.toMillis() + " ms: "
                            + (lastReason.isEmpty() ? "no answer" : lastReason),
                    e);
        }
    }

    AutoCloseable listen(Consumer<EngineEvent> listener) {
        return listeners.add(listener);
    }

    /** How often events have begun to flow. */
    long connections() {
        return connections;
    }

    /** Whether listeners know the node as recovered, or were never notified of its failure. */
    boolean recovered(int node) {
        try {
            return loop.submit(() -> mapper.recovered(node)).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while waiting for the events of node " + node, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** @param aliveNanos when the process was last seen alive */
    void processEnded(int node, String text, long aliveNanos) {
        loop.execute(() -> mapper.processEnded(node, text, aliveNanos, System.nanoTime(), Instant.now()));
    }

    /** A process of the node runs that was not seen before. */
    void processSeen(int node) {
        loop.execute(() -> mapper.processSeen(node));
    }

    void processStep(int node, String text) {
        long now = System.nanoTime();
        Instant wall = Instant.now();
        loop.execute(() -> mapper.processStep(node, text, now, wall));
    }

    void willWaitForOrder(int node) {
        loop.execute(() -> mapper.willWaitForOrder(node));
    }

    void orderGiven(int node) {
        loop.execute(() -> mapper.orderGiven(node));
    }

    /** All nodes are started without the data that they are to have: none has recovered before they are {@link #filled}. */
    void emptied() {
        loop.execute(mapper::emptied);
    }

    /** They have the data. */
    void filled(String text) {
        long now = System.nanoTime();
        Instant wall = Instant.now();
        loop.execute(() -> mapper.filled(text, now, wall));
    }

    /** Something worth keeping about a node that is neither a signal nor a step; reported on the event loop. */
    void note(String node, String source, String text) {
        note(node, Signal.NOTE, source, text);
    }

    /** As the other, with what it means for the recovery. */
    void note(String node, Signal signal, String source, String text) {
        EngineEvent event = new EngineEvent(System.nanoTime(), Instant.now(), node, signal, source, text);
        loop.execute(() -> listeners.tell(event));
    }

    private void noteOfStream(String text) {
        note(NdbEventMapper.SOURCE, NdbEventMapper.SOURCE, text);
    }

    private boolean knownToRun(int node) {
        return processRuns.apply(node).orElse(false);
    }

    private boolean knownToBeGone(int node) {
        return !processRuns.apply(node).orElse(true);
    }

    @Override
    public void close() {
        stream.close();
        asking.shutdownNow();
    }

    private final class StreamListener implements EventStream.Listener {
        @Override
        public void event(MgmEvent event, long atNanos) {
            mapper.event(event, atNanos, Instant.now());
            int node = event.number("node");
            // The data nodes report their connections to each other, too.
            boolean byManagement = !dataNodes.contains(event.source());
            if (event.type() == MgmEvent.CONNECTED
                    && byManagement
                    && dataNodes.contains(node)
                    && mapper.onlyConnected(node)) {
                lookAt(node);
            }
        }

        private void lookAt(int node) {
            if (current != null) {
                current.known.remove(node);
                return;
            }
            current = new Look(true);
            current.known.addAll(dataNodes);
            current.known.remove(node);
            current.ask();
        }

        @Override
        public void connected(ConnectString.Server server, boolean again) {
            connected = true;
            connections++; // on the event loop's thread only
            lastReason = "the state of the nodes is not known";
            client.prefer(server);
            if (again) {
                noteOfStream("event stream of " + server + " is open again; events since it was lost are missing");
            }
            mapper.streamBegins();
            current = new Look(again && ready.isDone());
            current.ask();
        }

        @Override
        public void disconnected(ConnectString.Server server, String reason) {
            if (connected) {
                noteOfStream("event stream of " + server + " lost (" + reason
                        + "); events may be missed until it is open again");
                connected = false;
            } else if (!reason.equals(lastReason)) {
                LOG.debug("event stream of {}: {}", server, reason);
            }
            lastReason = reason;
        }
    }

    /**
     * Finds out the state of the nodes after a stream has begun, or of those to which the server has connected while no more
     * is known of them. Asks until no event came while the question was under way, so that an old answer never overrules a
     * new event, until the server knows the states of those that it has contact with, and, after a gap, until one that was
     * just started has had the time to reach the nodes. On the event loop, but for the question itself.
     */
    private final class Look {
        private final boolean missed;
        private final Set<Integer> known = new HashSet<>();

        /** @param missed whether events may be lost, so that listeners are to be notified of what is found */
        Look(boolean missed) {
            this.missed = missed;
        }

        void ask() {
            if (asking.isShutdown() || over()) {
                return;
            }
            long before = mapper.changes();
            asking.execute(() -> question(before));
        }

        /** Whether the next stream takes its own look. */
        private boolean over() {
            return !connected || current != this;
        }

        private void question(long before) {
            try {
                List<MgmNode> states = client.dataNodes().stream()
                        .filter(state -> dataNodes.contains(state.id()))
                        .toList();
                Set<Integer> gone = states.stream()
                        .filter(MgmNode::noContact)
                        .map(MgmNode::id)
                        .filter(NdbWatch.this::knownToBeGone)
                        .collect(Collectors.toSet());
                loop.execute(() -> answer(states, gone, before));
            } catch (RuntimeException e) {
                LOG.debug("status after connecting", e);
                if (asking.isShutdown()) {
                    return;
                }
                lastReason = String.valueOf(e.getMessage());
                loop.schedule(this::ask, 500, TimeUnit.MILLISECONDS);
            }
        }

        private void answer(List<MgmNode> states, Set<Integer> gone, long before) {
            if (over()) {
                return;
            }
            if (mapper.changes() != before) {
                ask();
                return;
            }
            long now = System.nanoTime();
            Instant wall = Instant.now();
            List<MgmNode> certain = states.stream()
                    .filter(state -> !known.contains(state.id()))
                    .filter(state -> state.noContact() ? isOut(state, gone, now, wall) : !state.unknown())
                    .toList();
            mapper.statusRead(certain, missed, now, wall);
            if (!missed) {
                gone.forEach(mapper::gone);
            }
            certain.forEach(state -> known.add(state.id()));
            List<MgmNode> open =
                    states.stream().filter(state -> !known.contains(state.id())).toList();
            if (open.isEmpty()) {
                current = null;
                ready.complete(null);
            } else {
                lastReason = open.stream()
                        .map(state -> "node " + state.id() + " is " + state.detail())
                        .collect(Collectors.joining(", "));
                loop.schedule(this::ask, CONTACT_POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        /**
         * Whether it is no longer waited for contact with the node: at the first look, which says nothing of such a node, when
         * its process is gone, when there never was contact with it, or after longer than a server that was just started needs.
         */
        private boolean isOut(MgmNode state, Set<Integer> gone, long now, Instant wall) {
            return !missed && !mapper.onlyConnected(state.id())
                    || gone.contains(state.id())
                    || mapper.outOfSight(state.id())
                    || now - mapper.noContact(state, now, wall) >= contactBound.toNanos();
        }
    }
}
