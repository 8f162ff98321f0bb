package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.embedded.ClusterLinks.Choice;
import io.ycsbdrill.binding.embedded.NodeLink.Connection;
import io.ycsbdrill.binding.embedded.Routes.Version;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.ignite.client.ClientCompute;
import org.apache.ignite.client.ClientConnectionException;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.client.IgniteClientFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import site.ycsb.DBException;

class ClusterLinksTest {
    private static final String TABLE = "usertable";

    private final List<NodeLink> nodes =
            Stream.of(1, 2, 3).map(port -> new NodeLink("127.0.0.1:" + port)).toList();
    /** By port; those that are not completed are of nodes that are silent. */
    private final Map<Integer, CompletableFuture<long[]>> answers = new HashMap<>();

    /** How many questions each node was asked, by port. */
    private final Map<Integer, Integer> asked = new ConcurrentHashMap<>();

    private EmbeddedSettings settings;
    private ClusterLinks links;

    @BeforeEach
    void connect() throws DBException {
        Properties properties = new Properties();
        properties.setProperty("embedded.endpoints", "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
        settings = EmbeddedSettings.of(properties);
        links = new ClusterLinks(settings, nodes);
        nodes.forEach(this::connect);
    }

    private void connect(NodeLink node) {
        answers.put(node.port(), new CompletableFuture<>());
        node.attempted(new Connection(client(node.port()), Optional.empty()), System.nanoTime());
    }

    @AfterEach
    void close() {
        links.close();
    }

    @Test
    void theFirstAnswerIsEnoughThoughTheOtherNodesAreSilent() {
        answers.get(2).complete(view(5, 1, 2, 3));

        long before = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(links.freshRoutes(TABLE).orElseThrow().live()).isEqualTo(Set.of(1, 2, 3));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void aSmallerSideIsNotBelievedWhileALargerOneMayAnswer() {
        answers.get(1).complete(view(7, 1));
        CompletableFuture<Integer> meanwhile = new CompletableFuture<>();
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> {
            meanwhile.complete(links.partition(TABLE, "k"));
            answers.get(2).complete(view(6, 2, 3));
        });

        assertThat(links.freshRoutes(TABLE).orElseThrow().live()).isEqualTo(Set.of(2, 3));
        assertThat(meanwhile.join()).as("no routes are known").isEqualTo(-1);
    }

    @Test
    void theHalfWithoutTheFirstNodeIsNotBelievedWhileTheOtherOneMayAnswer() {
        NodeLink fourth = new NodeLink("127.0.0.1:4");
        connect(fourth);
        answers.get(3).complete(view(7, 3, 4));
        answers.get(4).complete(view(7, 3, 4));
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
                .execute(() -> answers.get(1).complete(view(7, 1, 2)));

        try (ClusterLinks four = new ClusterLinks(
                settings, Stream.concat(nodes.stream(), Stream.of(fourth)).toList())) {
            assertThat(four.freshRoutes(TABLE).orElseThrow().live()).isEqualTo(Set.of(1, 2));
        }
    }

    @Test
    void oneNodeIsAskedAsLongAsItAnswers() {
        answers.values().forEach(answer -> answer.complete(view(5, 1, 2, 3)));

        for (int i = 0; i < 10; i++) {
            links.freshRoutes(TABLE);
        }

        assertThat(asked.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(10);
    }

    @Test
    void aNodeThatOwesAnAnswerIsNotAskedAgainBeforeItHasGivenIt() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> links.freshRoutes(TABLE)).hasMessageContaining("no answer within");
        }
        assertThat(asked).isEqualTo(Map.of(1, 1, 2, 1, 3, 1));

        answers.values().forEach(answer -> answer.complete(view(5, 1, 2, 3)));
        links.freshRoutes(TABLE);

        assertThat(asked.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(4);
    }

    /** As it is asked last, and nobody waits for it. */
    @Test
    void aNodeThatOwesAnAnswerDelaysNobody() {
        answers.get(2).complete(view(5, 1, 2, 3));
        answers.get(3).complete(view(5, 1, 2, 3));

        long before = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            links.freshRoutes(TABLE);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(8));
        assertThat(asked.getOrDefault(1, 0)).isLessThan(2);
    }

    @Test
    void whatANodeOwesIsWaitedForWhereTheOtherAnswersAreOfASmallerSide() {
        assertThatThrownBy(() -> links.freshRoutes(TABLE)).hasMessageContaining("no answer within");
        answers.get(1).complete(view(7, 1));
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)
                .execute(() -> answers.get(2).complete(view(6, 2, 3)));

        assertThat(links.freshRoutes(TABLE).orElseThrow().live()).isEqualTo(Set.of(2, 3));
        assertThat(asked).containsEntry(2, 1).containsEntry(3, 1);
    }

    @Test
    void aSmallerSideIsBelievedWhenNoOtherNodeAnswers() {
        answers.get(3).complete(view(7, 3));

        assertThat(links.freshRoutes(TABLE).orElseThrow().live()).isEqualTo(Set.of(3));
    }

    @Test
    void aTableThatANodeDoesNotKnowHasNoRoutes() {
        answers.get(3).complete(null);

        assertThat(links.freshRoutes(TABLE)).isEmpty();
    }

    @Test
    void nodesThatAreSilentKeepTheirConnections() {
        assertThatThrownBy(() -> links.freshRoutes(TABLE))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining("no answer within 1500 ms");
        assertThat(nodes).noneMatch(node -> node.connection() == null);
    }

    @Test
    void connectionsThatAreLostAreGivenUp() {
        answers.values()
                .forEach(answer -> answer.completeExceptionally(new ClientConnectionException("it was closed")));

        assertThatThrownBy(() -> links.freshRoutes(TABLE))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining("it was closed");
        assertThat(nodes).allMatch(node -> node.connection() == null);
    }

    @Test
    void anAnswerThatIsNotUnderstoodIsNone() {
        answers.get(1).complete(new long[] {1});
        answers.get(2).complete(view(5, 1, 2, 3));

        assertThat(links.freshRoutes(TABLE).orElseThrow().live()).isEqualTo(Set.of(1, 2, 3));
    }

    @Test
    void aNodeSaysWhichTopologyItSees() {
        answers.get(1).complete(view(5, 1, 2, 3));

        assertThat(links.versionNow(TABLE, choice(nodes.get(0)))).contains(new Version(1, 5));
    }

    @Test
    void aNodeThatDoesNotSayWhichTopologyItSeesIsNotWaitedForLong() {
        long before = System.nanoTime();

        assertThat(links.versionNow(TABLE, choice(nodes.get(0)))).isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("embedded.timeout is 10 s")
                .isLessThan(Duration.ofSeconds(8));
        assertThat(nodes.get(0).connection()).isNotNull();
    }

    @Test
    void aConnectionThatIsLostWhenTheTopologyIsAskedForIsGivenUp() {
        answers.get(1).completeExceptionally(new ClientConnectionException("it was closed"));

        assertThat(links.versionNow(TABLE, choice(nodes.get(0)))).isEmpty();

        assertThat(nodes.get(0).connection()).isNull();
        assertThat(nodes.get(1).connection()).isNotNull();
    }

    private static Choice choice(NodeLink node) {
        return new Choice(node, node.connection(), Version.UNKNOWN);
    }

    /** As the task reports it, of a table with one partition. */
    private static long[] view(long topology, int... live) {
        LongStream nodes = IntStream.of(live).asLongStream();
        return Stream.of(LongStream.of(1, topology, live.length), nodes, LongStream.of(live[0]))
                .flatMapToLong(part -> part)
                .toArray();
    }

    /** Of a node that answers every task alike. */
    private IgniteClient client(int port) {
        ClientCompute compute = fake(ClientCompute.class, (proxy, method, args) -> {
            asked.merge(port, 1, Integer::sum);
            return future(answers.get(port));
        });
        return fake(
                IgniteClient.class, (proxy, method, args) -> method.getName().equals("compute") ? compute : null);
    }

    private static Object future(CompletableFuture<long[]> answer) {
        return fake(IgniteClientFuture.class, (proxy, method, args) -> {
            try {
                return method.invoke(answer, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
