package io.ycsbdrill.client.group;

import io.ycsbdrill.client.merge.MergeException;
import io.ycsbdrill.client.merge.RunMerge;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunSpec;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The clients of one run on this machine. The first is this process, each of the others one of its own; they start together, none goes on
 * when another has failed, and their run directories are merged. Executed once; {@link #interrupt} may be called from any thread.
 */
public final class RunGroup {
    private final List<RunSpec> specs;
    private final StartRendezvous meeting;
    private final BenchmarkRun first;

    /**
     * @param specs of the clients in order, each with its part and a run directory of its own
     * @param companions of the first client
     * @param firstEndsAll whether the others run until the first one ends, as in a drill
     */
    public RunGroup(List<RunSpec> specs, List<RunCompanion> companions, boolean firstEndsAll) {
        this.specs = List.copyOf(specs);
        RunSpec own = specs.get(0);
        meeting = new StartRendezvous(ClientProcess.name(own), own.startAt(), this::interruptFirst);
        List<RunCompanion> all = new ArrayList<>(companions);
        if (firstEndsAll) {
            all.add(meeting);
        }
        first = new BenchmarkRun(own, all).startingWith(meeting);
    }

    private void interruptFirst(String reason) {
        first.interrupt(reason);
    }

    /** Ends all clients early, as incomplete, with this reason; {@link #execute} merges what there is. Again has no effect. */
    public void interrupt(String reason) {
        meeting.stop(reason);
    }

    /**
     * Runs all clients and returns when they have ended. No process of theirs is left, whatever happens.
     *
     * @param program the command line of another client's process, whose main class leaves the rest to {@link JoinedClient}; the
     *     client's number is added to it
     * @param workingDirectory of the processes
     * @param say notified of the other processes' output, from threads of their own
     * @throws io.ycsbdrill.client.ConfigException when the specification cannot be run
     * @throws UncheckedIOException when a process cannot be started
     */
    public void execute(List<String> program, Path workingDirectory, Consumer<String> say) {
        try {
            for (RunSpec spec : specs.subList(1, specs.size())) {
                meeting.joined(ClientProcess.start(program, workingDirectory, spec, meeting, say));
            }
            meeting.firstIsOver(first.execute().state());
            meeting.awaitOthers();
        } finally {
            meeting.killOthers();
        }
    }

    /**
     * Merges the run directories of those clients that have begun one; the others are missing, and the merged run incomplete.
     *
     * @param out with nothing in it but the clients' directories
     * @param command for {@code run.json}
     * @throws MergeException when one of them is damaged; nothing was written
     */
    public RunMerge.Merged merge(Path out, List<String> command) {
        List<Path> begun = specs.stream()
                .map(RunSpec::out)
                .filter(directory -> Files.exists(directory.resolve("run.json")))
                .toList();
        return RunMerge.merge(begun, out, meeting.reasons(), command);
    }
}
