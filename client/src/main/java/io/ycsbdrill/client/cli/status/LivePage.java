package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.live.LiveAddress;
import io.ycsbdrill.client.live.LiveServer;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The live page of a session, if it was asked for; else nothing. Used by the session's thread. */
public final class LivePage implements AutoCloseable {
    private final Optional<LiveServer> server;

    private LivePage(Optional<LiveServer> server) {
        this.server = server;
    }

    /** @throws io.ycsbdrill.client.ConfigException when the address cannot be had */
    public static LivePage of(Optional<LiveAddress> address, Supplier<String> status, CommandContext world) {
        Optional<LiveServer> server = address.map(where -> LiveServer.start(where, status));
        server.ifPresent(live -> world.say("live: " + live.address() + " (metrics: " + live.address() + "metrics)"));
        return new LivePage(server);
    }

    public void loading(RunSpec load) {
        server.ifPresent(live -> live.loading(load));
    }

    /**
     * The run begins.
     *
     * @param first of this process: with several clients a share of the run
     * @return gets what is to be shown
     */
    public List<RunCompanion> running(RunSpec run, RunSpec first) {
        return server.map(live -> live.running(run, first)).orElse(List.of());
    }

    /** The run directory is complete, and with several clients merged. */
    public void complete(RunSpec run) {
        server.ifPresent(live -> live.complete(run));
    }

    public void ended(RunResult result, int exitCode) {
        Path report = result.directory().resolve("report.html");
        String where = Files.exists(report) ? "report: " + report : "run directory: " + result.directory();
        String headline =
                switch (exitCode) {
                    case 0 -> "The run has ended and is valid";
                    case 3 -> "The run has ended, and missed a limit";
                    default -> "The run has ended and is invalid";
                };
        String why = String.join("; ", result.reasons());
        server.ifPresent(live -> live.ended(exitCode == 0, headline, (why.isEmpty() ? "" : why + "; ") + where));
    }

    @Override
    public void close() {
        server.ifPresent(LiveServer::close);
    }
}
