package io.ycsbdrill.fault.node.haproxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.LocalCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;

/** The HAProxy that the tests run with: what {@link HaproxyHome#find} finds. */
public final class TestedHaproxy {
    private static final String NONE = "no HAProxy found; set HAPROXY_HOME or run bin/install-galera";
    private static final Duration BOUND = Duration.ofMinutes(1);

    private TestedHaproxy() {}

    /** Whether there is one: {@code true} or {@code false}, as the option takes it. */
    public static String option() {
        return Boolean.toString(
                HaproxyHome.find(null, System.getenv(), List.of()).isPresent());
    }

    /** The cluster's; when it has none, that is printed. */
    public static Optional<Haproxy> before(LocalCluster cluster) {
        Optional<Haproxy> proxy = Haproxy.of(cluster.descriptor());
        if (proxy.isEmpty()) {
            System.out.println("skipped: " + NONE);
        }
        return proxy;
    }

    /** The cluster's; skips the test when it has none. */
    public static Haproxy required(LocalCluster cluster) {
        return Haproxy.of(cluster.descriptor()).orElseGet(() -> Assumptions.abort(NONE));
    }

    /** What it sees of one server. */
    public static ProxiedServer server(Haproxy proxy, String name) {
        return proxy.servers().stream()
                .filter(server -> server.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until it sees all its servers so. */
    public static void await(Haproxy proxy, Predicate<List<ProxiedServer>> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!wanted.test(proxy.servers())) {
            assertThat(System.nanoTime())
                    .as("what the proxy sees: %s", proxy.servers())
                    .isLessThan(deadline);
            Thread.sleep(20);
        }
    }
}
