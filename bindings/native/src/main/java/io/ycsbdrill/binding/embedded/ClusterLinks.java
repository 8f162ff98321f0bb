package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.embedded.NodeLink.Connection;
import io.ycsbdrill.binding.embedded.RouteQuestions.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.ignite.client.ClientException;
import site.ycsb.DBException;

/**
 * The connections to all nodes, and the choice of one for a key. Thread-safe. The thread {@code embedded-routes} keeps
 * the routes fresh and brings back links to nodes that have returned; connecting and closing, which may block, happen on
 * {@code embedded-links-N}.
 */
final class ClusterLinks implements AutoCloseable {
    private static final int REFRESH_MILLIS = 100;
    private static final int ANSWER_MILLIS = 500;

    /**
     * Where an operation is sent.
     *
     * @param version of the topology, as far as we know
     */
    record Choice(NodeLink link, Connection connection, Routes.Version version) {}

    private final EmbeddedSettings settings;
    private final List<NodeLink> links;
    private final Map<Integer, NodeLink> byPort = new HashMap<>();
    private final RouteQuestions questions;
    private final Map<String, Optional<Routes>> routes = new ConcurrentHashMap<>();
    private final Semaphore kick = new Semaphore(0);
    private final ExecutorService blocking;
    private final Thread refresher = Daemon.thread(this::loop, "embedded-routes");
    private volatile boolean closed;

    /** @param links to the nodes, in their order, not yet connected */
    ClusterLinks(EmbeddedSettings settings, List<NodeLink> links) {
        this.settings = settings;
        this.links = List.copyOf(links);
        questions = new RouteQuestions(this.links);
        links.forEach(link -> byPort.put(link.port(), link));
        AtomicInteger numbers = new AtomicInteger(1);
        blocking = Executors.newCachedThreadPool(
                task -> Daemon.thread(task, "embedded-links-" + numbers.getAndIncrement()));
    }

    /**
     * Connects to all nodes that can be reached.
     *
     * @throws DBException when none can, or the nodes do not have the binding's own code
     */
    static ClusterLinks open(EmbeddedSettings settings) throws DBException {
        ClusterLinks opened = new ClusterLinks(
                settings, settings.endpoints().stream().map(NodeLink::new).toList());
        try {
            LinksOpening.connect(settings, opened.links);
            if (!settings.table().isEmpty()) {
                LinksOpening.makeTable(
                        settings, opened.any().orElseThrow().connection().client());
                opened.fetch(settings.table(), opened.patienceMillis());
            }
        } catch (RuntimeException e) {
            opened.close();
            throw new DBException(
                    "the embedded cluster at " + String.join(",", settings.endpoints())
                            + " does not respond as expected: "
                            + ClientFailures.cause(e)
                            + "; " + ClientFailures.advice(e),
                    e);
        } catch (DBException e) {
            opened.close();
            throw e;
        }
        opened.refresher.start();
        return opened;
    }

    /** The node for the key; empty when no node can be reached. */
    Optional<Choice> choose(String table, String key) {
        Optional<Routes> known = routes.get(table);
        if (known == null) {
            known = fetchQuietly(table);
        }
        if (known.isPresent()) {
            NodeLink link = byPort.get(known.get().primary(key));
            Connection connection = link == null ? null : link.connection();
            if (connection != null) {
                return Optional.of(new Choice(link, connection, known.get().version()));
            }
        }
        return any(table);
    }

    /** The routes of a table as they are now; empty when there is no such table. */
    Optional<Routes> freshRoutes(String table) {
        return fetch(table, patienceMillis());
    }

    /** The partition of a key; -1 before the routes of its table are known. */
    int partition(String table, String key) {
        Optional<Routes> known = routes.get(table);
        return known == null || known.isEmpty() ? -1 : known.get().partition(key);
    }

    /** Any node that can be reached; another one each time. */
    Optional<Choice> any() {
        return any(link -> true, Routes.Version.UNKNOWN);
    }

    /** The same, and if possible one that the others have not lost. */
    Optional<Choice> any(String table) {
        Optional<Routes> known = routes.getOrDefault(table, Optional.empty());
        Routes.Version version = known.map(Routes::version).orElse(Routes.Version.UNKNOWN);
        return known.flatMap(now -> any(link -> now.live().contains(link.port()), version))
                .or(() -> any(link -> true, version));
    }

    private Optional<Choice> any(Predicate<NodeLink> wanted, Routes.Version version) {
        int first = ThreadLocalRandom.current().nextInt(links.size());
        for (int i = 0; i < links.size(); i++) {
            NodeLink link = links.get((first + i) % links.size());
            Connection connection = link.connection();
            if (connection != null && wanted.test(link)) {
                return Optional.of(new Choice(link, connection, version));
            }
        }
        return Optional.empty();
    }

    /** Reports that the operation's connection broke: it is not used again, and the routes are read again. */
    void lost(Choice choice) {
        drop(choice.link(), choice.connection());
        kick.release();
    }

    /** Which topology the node of the choice sees now; empty when it does not say so soon. */
    Optional<Routes.Version> versionNow(String table, Choice choice) {
        long millis = Math.min(ANSWER_MILLIS, settings.requestTimeout().toMillis());
        try {
            return RouteQuestions.view(
                            RouteQuestions.ask(choice.connection(), table).get(millis, TimeUnit.MILLISECONDS))
                    .map(Routes::version);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            if (ClientFailures.linkLost(e)) {
                lost(choice);
            }
            return Optional.empty();
        }
    }

    /** What became of the connections to each node, which all instances share. */
    List<Reconnects.Server> reconnects() {
        return links.stream()
                .flatMap(link -> link.reconnects().stream())
                .map(Reconnects.Server::ofAll)
                .toList();
    }

    @Override
    public void close() {
        closed = true;
        refresher.interrupt();
        for (NodeLink link : links) {
            Connection connection = link.connection();
            if (connection != null) {
                drop(link, connection);
            }
        }
        blocking.shutdown();
        try {
            if (!blocking.awaitTermination(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                blocking.shutdownNow();
            }
        } catch (InterruptedException e) {
            blocking.shutdownNow();
            Thread.currentThread().interrupt();
        }
        // An attempt that was under way may have succeeded meanwhile.
        for (NodeLink link : links) {
            Connection late = link.connection();
            if (late != null && link.drop(late)) {
                late.client().close();
            }
        }
    }

    private void loop() {
        while (!closed) {
            try {
                kick.tryAcquire(REFRESH_MILLIS, TimeUnit.MILLISECONDS);
                kick.drainPermits();
                refresh();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void refresh() {
        long now = System.nanoTime();
        for (NodeLink link : links) {
            if (link.due(now)) {
                try {
                    blocking.execute(() -> connectQuietly(link));
                } catch (RejectedExecutionException e) {
                    return; // closed meanwhile
                }
            }
        }
        for (String table : routes.keySet()) {
            try {
                fetch(table, ANSWER_MILLIS).ifPresent(this::dropDeparted);
            } catch (ClientException e) {
                // What was known before does not say which nodes are live now.
            }
        }
    }

    private void connectQuietly(NodeLink link) {
        try {
            link.connect(settings);
            if (closed) {
                drop(link, link.connection());
            }
            kick.release();
        } catch (RuntimeException e) {
            // Down still; the next attempt is put off.
        }
    }

    /** A node that the others have dropped may hold its connections open for long, and operations with them. */
    private void dropDeparted(Routes fresh) {
        for (NodeLink link : links) {
            Connection connection = link.connection();
            if (connection != null && !fresh.live().contains(link.port())) {
                drop(link, connection);
            }
        }
    }

    private Optional<Routes> fetchQuietly(String table) {
        try {
            return fetch(table, ANSWER_MILLIS);
        } catch (ClientException e) {
            return routes.getOrDefault(table, Optional.empty());
        }
    }

    /**
     * Takes the first answer, unless most nodes with a connection are missing in it: there may be a larger side of a
     * partition, which then has the rest of the time to answer.
     */
    private Optional<Routes> fetch(String table, long millis) {
        RouteQuestions.Question question = questions.ask(table, millis);
        List<Answer> ofSmallerSides = new ArrayList<>();
        ClientException last = new ClientException("no node can be reached");
        for (Answer answer = question.next(); answer != null; answer = question.next()) {
            if (answer.failure() != null) {
                if (ClientFailures.linkLost(answer.failure())) {
                    drop(answer.link(), answer.connection());
                }
                last = new ClientException(ClientFailures.cause(answer.failure()), answer.failure());
            } else if (isEnough(table, answer.view())) {
                return keep(table, answer);
            } else {
                ofSmallerSides.add(answer);
            }
        }
        if (ofSmallerSides.isEmpty()) {
            throw question.isLate() ? new ClientException("no answer within " + millis + " ms") : last;
        }
        ofSmallerSides.forEach(answer -> keep(table, answer));
        return routes.get(table);
    }

    /** For those who can wait: nodes that have just been started are slow to answer the first question. */
    private long patienceMillis() {
        return (long) links.size() * ANSWER_MILLIS;
    }

    /** Whether no other node need be waited for. */
    private boolean isEnough(String table, Optional<Routes> fresh) {
        Optional<Routes> known = routes.getOrDefault(table, Optional.empty());
        return fresh.isEmpty()
                || fresh.get().hasMost(connected(), firstPort())
                || known.isPresent() && fresh.get().isFirstHalf(known.get(), firstPort());
    }

    private Optional<Routes> keep(String table, Answer answer) {
        Set<Integer> connected = connected();
        return routes.merge(
                table,
                answer.view(),
                (known, fresh) -> newer(known, fresh, answer.link().port(), connected));
    }

    private Optional<Routes> newer(Optional<Routes> known, Optional<Routes> fresh, int by, Set<Integer> connected) {
        return known.isPresent() && fresh.isPresent()
                ? Optional.of(Routes.newer(known.get(), fresh.get(), by, connected, firstPort()))
                : fresh;
    }

    private int firstPort() {
        return links.get(0).port();
    }

    private Set<Integer> connected() {
        return links.stream()
                .filter(link -> link.connection() != null)
                .map(NodeLink::port)
                .collect(Collectors.toSet());
    }

    private void drop(NodeLink link, Connection connection) {
        if (connection != null && link.drop(connection)) {
            try {
                blocking.execute(() -> connection.client().close());
            } catch (RejectedExecutionException e) {
                connection.client().close();
            }
        }
    }
}
