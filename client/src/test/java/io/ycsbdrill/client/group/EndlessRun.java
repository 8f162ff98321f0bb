package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.key.ClientShare;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/** A run of a client without any limit, so that only an order ends it. */
final class EndlessRun {
    private EndlessRun() {}

    static RunSpec of(int number, int clients, Path out) {
        Properties properties = new Properties();
        properties.setProperty("recordcount", "10");
        properties.setProperty("basicdb.verbose", "false");
        return RunSpec.builder()
                .binding("basic", "site.ycsb.BasicDB")
                .workloadName("test")
                .properties(properties)
                .window(Duration.ofSeconds(1))
                .seed(1)
                .out(out)
                .command(List.of("run"))
                .part(new ClientShare(number, clients))
                .build();
    }
}
