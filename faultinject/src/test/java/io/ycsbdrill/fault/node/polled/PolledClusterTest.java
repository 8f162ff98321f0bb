package io.ycsbdrill.fault.node.polled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that answer, refuse, are silent or answer nonsense. */
@Timeout(60)
class PolledClusterTest {
    private static final List<NodeInfo> NODES =
            List.of(new NodeInfo("n1", "h1", 0), new NodeInfo("n2", "h2", 0), new NodeInfo("n3", "h3", 0));

    private enum Manner {
        ANSWERS,
        REFUSES,
        SILENT
    }

    private final Map<String, Manner> manners =
            new ConcurrentHashMap<>(Map.of("n1", Manner.ANSWERS, "n2", Manner.ANSWERS, "n3", Manner.ANSWERS));
    private final LinkedBlockingQueue<EngineEvent> events = new LinkedBlockingQueue<>();
    private final Cluster cluster = new Cluster(NODES);
    /** As many questions have to be under way before one of them is answered. */
    private volatile CountDownLatch together = new CountDownLatch(0);

    private volatile boolean broken;

    @AfterEach
    void close() {
        cluster.close();
    }

    private final class Cluster extends PolledCluster<URI, String, Set<String>> {
        Cluster(List<NodeInfo> nodes) {
            super(
                    nodes,
                    nodes.stream()
                            .map(n -> URI.create("http://me:hunter2@" + n.id()))
                            .toList(),
                    new History(nodes));
        }

        @Override
        protected String ask(URI server) throws IOException {
            switch (manners.get(server.getHost())) {
                case REFUSES -> throw new IOException("refused by http://me:hunter2@" + server.getHost());
                case SILENT -> {
                    try {
                        Thread.sleep(600_000);
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                }
                case ANSWERS -> {
                    try {
                        together.countDown();
                        together.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                }
            }
            return server.getHost();
        }

        @Override
        protected Set<String> join(List<String> answers) {
            return new TreeSet<>(answers);
        }

        Set<String> answering() {
            return look();
        }

        @Override
        public String engine() {
            return "scripted";
        }

        @Override
        public String engineVersion() {
            return "1";
        }

        @Override
        public List<NodeStatus> status() {
            return List.of();
        }

        @Override
        public Optional<String> primary() {
            return Optional.empty();
        }
    }

    private final class History extends ClusterHistory<Set<String>, boolean[]> {
        History(List<NodeInfo> nodes) {
            super(PolledCluster.names(nodes), () -> new boolean[1], "script");
        }

        @Override
        protected void take(String name, boolean[] down, Set<String> state, Teller teller) {
            if (broken) {
                throw new IllegalStateException("nonsense");
            }
            if (state.contains(name) == down[0]) {
                down[0] = !down[0];
                teller.tell(down[0] ? Signal.NODE_DOWN : Signal.RECOVERED, "");
            }
        }

        @Override
        protected void lost(boolean[] down, Teller teller) {
            if (!down[0]) {
                down[0] = true;
                teller.tell(Signal.NODE_DOWN, "nobody answers");
            }
        }
    }

    private EngineEvent next() throws InterruptedException {
        EngineEvent event = events.poll(30, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    @Test
    void silentServersAreWaitedForTogetherAndNotOneAfterTheOther() {
        manners.putAll(Map.of("n1", Manner.SILENT, "n2", Manner.SILENT));
        long begin = System.nanoTime();

        assertThat(cluster.answering()).containsExactly("n3");

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(3900));
    }

    /** One after the other, or so many at a time, none of them would answer. */
    @Test
    void twoHundredServersAreAskedTogether() {
        List<NodeInfo> many = IntStream.rangeClosed(1, 200)
                .mapToObj(i -> new NodeInfo("m" + i, "h" + i, 0))
                .toList();
        many.forEach(node -> manners.put(node.id(), Manner.ANSWERS));
        together = new CountDownLatch(many.size());

        try (Cluster large = new Cluster(many)) {
            assertThat(large.answering()).hasSize(200);
        }
    }

    @Test
    void anEventIsDatedByItsQuestionAndNotByTheEndOfAllAnswers() throws Exception {
        cluster.listen(events::add);
        manners.put("n2", Manner.SILENT);

        EngineEvent down = next();

        assertThat(down).returns("n2", EngineEvent::node).returns(Signal.NODE_DOWN, EngineEvent::signal);
        assertThat(Duration.ofNanos(System.nanoTime() - down.atNanos()))
                .as("asked, and waited for n2 since")
                .isGreaterThan(Duration.ofMillis(1900));
    }

    @Test
    void aTimeInWhichNobodyAnswersIsToldWithItsLengthAndTakesEveryNodeDown() throws Exception {
        cluster.listen(events::add);
        manners.replaceAll((node, manner) -> Manner.REFUSES);

        EngineEvent blind = next();
        List<String> answering = new ArrayList<>(List.of("n1", "n2", "n3"));
        // A question that was on its way meanwhile may have found some of them only.
        while (blind.signal() == Signal.NODE_DOWN) {
            assertThat(answering.remove(blind.node())).isTrue();
            blind = next();
        }
        assertThat(answering).isNotEmpty();
        assertThat(blind).returns("", EngineEvent::node).returns(Signal.NOTE, EngineEvent::signal);
        assertThat(blind.text())
                .contains("lost contact with the nodes", "n3", "***")
                .doesNotContain("hunter2");
        for (String node : answering) {
            assertThat(next())
                    .returns(node, EngineEvent::node)
                    .returns(Signal.NODE_DOWN, EngineEvent::signal)
                    .returns(blind.atNanos(), EngineEvent::atNanos);
        }
        manners.replaceAll((node, manner) -> Manner.ANSWERS);
        assertThat(next().text()).matches("the servers of scripted are reachable again after \\d+\\.\\d s");
        assertThat(next()).returns(Signal.RECOVERED, EngineEvent::signal);
    }

    @Test
    void anAnswerThatCannotBeHandledDoesNotEndTheWatchSilently() throws Exception {
        broken = true;
        cluster.listen(events::add);
        assertThat(next().text()).contains("an answer could not be handled", "nonsense");

        manners.put("n2", Manner.REFUSES);
        broken = false;

        assertThat(next()).returns("n2", EngineEvent::node).returns(Signal.NODE_DOWN, EngineEvent::signal);
    }

    @Test
    void whenNobodyAnswersTheReasonsHaveNoPasswords() {
        manners.replaceAll((node, manner) -> Manner.REFUSES);

        assertThatThrownBy(cluster::answering)
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no server of scripted answers")
                .hasMessageNotContaining("hunter2");
    }
}
