package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.base.PlainStream;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunSpec;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** Shows how a run is going: a progress bar on a terminal, else one line now and then. */
public final class LiveStatus {
    private LiveStatus() {}

    /**
     * The companion that suits the terminal.
     *
     * @param remark what else to say, asked for each time; may be empty
     */
    public static RunCompanion of(CommandContext world, RunSpec spec, Supplier<String> remark) {
        Progress progress = new Progress(spec.operations(), spec.duration());
        return world.terminal()
                ? new StatusBar(PlainStream.of(world.err()).drawing(), spec, progress, remark)
                : lines(world, spec, progress, remark);
    }

    private static RunCompanion lines(CommandContext world, RunSpec spec, Progress progress, Supplier<String> remark) {
        String interval = spec.properties().getProperty("status.interval", "");
        Duration every = interval.isEmpty()
                ? longer(spec.window(), Duration.ofSeconds(1))
                : Duration.ofSeconds(Long.parseLong(interval));
        return new StatusLines(label(spec), every, progress, line -> {
            String more = remark.get();
            world.say(more.isEmpty() ? line : line + " [" + more + "]");
        });
    }

    /** What the user calls the run, or load or run, as a run may begin with a load; and of which client it tells. */
    static String label(RunSpec spec) {
        String given = spec.properties().getProperty("label", "");
        String label = given.isEmpty() ? spec.mode().name().toLowerCase(Locale.ROOT) : given;
        return spec.part().isShare() ? label + " (client " + spec.part() + ")" : label;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
