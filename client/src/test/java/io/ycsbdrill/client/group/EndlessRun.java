package io.ycsbdrill.client.group;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.client.run.ClientShare;
import io.ycsbdrill.client.run.RunSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** A run of a client without any limit, so that only an order ends it. */
final class EndlessRun {
    private EndlessRun() {}

    static RunSpec of(int number, int clients, Path out) {
        Properties properties = new Properties();
        properties.setProperty("recordcount", "10");
        properties.setProperty("basicdb.verbose", "false");
        return new RunSpec(
                RunSpec.Mode.RUN,
                "basic",
                "site.ycsb.BasicDB",
                "test",
                properties,
                1,
                0,
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ZERO,
                0,
                1,
                out,
                List.of("run"),
                JsonNodeFactory.instance.objectNode(),
                new ClientShare(number, clients),
                Optional.empty(),
                Map.of());
    }
}
