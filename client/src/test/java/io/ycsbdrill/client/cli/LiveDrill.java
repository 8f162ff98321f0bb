package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A drill with {@code --live} on a table and nodes in memory, in the background: node2 is restarted after two seconds. */
final class LiveDrill {
    private static final Pattern ADDRESS = Pattern.compile("live: (http://127\\.0\\.0\\.1:\\d+/) ");

    private final World world;
    private CompletableFuture<Integer> running;

    LiveDrill(World world) {
        this.world = world.file("w.properties", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=50
                readproportion=0.5
                updateproportion=0.5
                requestdistribution=uniform
                """).file("d.yaml", """
                steady: off
                cooldown: 5s
                recovery_timeout: 30s
                steps: [{step: restart, fault: restart, node: node2, mode: kill, down: 200ms, at: 2s}]
                """);
    }

    /** @return its exit code */
    CompletableFuture<Integer> start() {
        running = CompletableFuture.supplyAsync(() -> world.execute(
                "drill",
                "--live",
                "native",
                "-P",
                "w.properties",
                "-D",
                "d.yaml",
                "--out",
                "r",
                "--window",
                "500ms",
                "-target",
                "200",
                "-p",
                "db.password=hush"));
        return running;
    }

    /** The page's address, as soon as the command has said it. */
    URI address() throws InterruptedException {
        while (true) {
            Matcher said = ADDRESS.matcher(world.err());
            if (said.find()) {
                return URI.create(said.group(1));
            }
            assertThat(running.isDone()).as(world.err()).isFalse();
            Thread.sleep(5);
        }
    }
}
