package io.ycsbdrill.client.group;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.merge.MergeException;
import io.ycsbdrill.client.merge.RunMerge;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.rundir.RunFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * The clients of one run. The first is this process, each of the others one of its own, here or on another host; they start together, and
 * their run directories are merged. None goes on when another one has failed, but a host that is lost during the run takes only its own
 * client with it. Executed once; {@link #interrupt} may be called from any thread.
 */
public final class RunGroup {
    private final List<RunSpec> specs;
    private final StartRendezvous meeting;
    private final BenchmarkRun first;
    private final GroupSums sums;
    /** Run directories of clients that were lost, or did not come back in full, as far as they could be had. */
    private final Set<Path> lost = new LinkedHashSet<>();

    /**
     * @param specs of the clients in order, each with its part and a run directory of its own
     * @param companions of the first client
     * @param watching what shows the run: windows and intervals are of all clients together, and come from threads of several names, one at
     *     a time; its end is that of the last client
     * @param firstEndsAll whether the others run until the first one ends, as in a drill
     */
    public RunGroup(
            List<RunSpec> specs, List<RunCompanion> companions, List<RunCompanion> watching, boolean firstEndsAll) {
        this.specs = List.copyOf(specs);
        RunSpec own = specs.get(0);
        meeting = new StartRendezvous(ClientProcess.name(own), own.startAt(), this::interruptFirst);
        sums = new GroupSums(specs.size(), own.window(), watching);
        List<RunCompanion> all = new ArrayList<>(companions);
        all.add(sums);
        if (firstEndsAll) {
            all.add(meeting);
        }
        first = new BenchmarkRun(own, all).startingWith(meeting);
    }

    /**
     * Brings to all places what they lack, at the same time.
     *
     * @throws NodeControlException when one cannot be reached, with all that cannot
     */
    public static void prepare(List<ClientPlace> places) {
        List<CompletableFuture<Void>> all = places.stream()
                .map(place -> AtOnce.<Void>ask(() -> {
                    Io.run(place::prepare);
                    return null;
                }))
                .toList();
        List<String> problems = new ArrayList<>();
        for (CompletableFuture<Void> each : all) {
            try {
                each.join();
            } catch (CompletionException e) {
                Throwable cause = e.getCause() instanceof UncheckedIOException io ? io.getCause() : e.getCause();
                problems.add(String.valueOf(cause.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw new NodeControlException(String.join("; ", problems));
        }
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
     * @param places of the other clients, in order; prepared
     * @param say notified of the other processes' output, from threads of their own
     * @throws io.ycsbdrill.client.ConfigException when the specification cannot be run
     * @throws UncheckedIOException when a process cannot be started
     */
    public void execute(List<ClientPlace> places, Consumer<String> say) {
        List<ClientProcess> started = new ArrayList<>();
        try {
            for (int i = 0; i < places.size(); i++) {
                ClientProcess client = ClientProcess.start(places.get(i), specs.get(i + 1), meeting, say, sums);
                started.add(client);
                meeting.joined(client);
            }
            meeting.firstIsOver(first.execute().state());
            meeting.awaitOthers();
        } finally {
            meeting.killOthers();
            sums.close();
        }
        for (int i = 0; i < started.size(); i++) {
            if (meeting.hasLost(started.get(i))) {
                lost.add(specs.get(i + 1).out());
            }
            collect(started.get(i), places.get(i), specs.get(i + 1), say);
        }
    }

    /** What a client that was lost has left is taken when it can be had; else the merged run says that it is missing. */
    private void collect(ClientProcess client, ClientPlace place, RunSpec spec, Consumer<String> say) {
        try {
            place.collect(spec);
            clean(client, place, spec, say);
        } catch (IOException e) {
            lost.add(spec.out());
            meeting.incomplete("the run directory of " + client.name() + " could not be had: " + e.getMessage());
        }
        // Also of what came only in part: it is merged when it can be, and then its times have to move.
        try {
            if (client.clock().isPresent() && Files.isDirectory(spec.out())) {
                client.clock().get().write(spec.out());
            }
        } catch (IOException e) {
            meeting.incomplete("the clock of " + client.name() + " could not be recorded: " + e.getMessage());
        }
    }

    private static void clean(ClientProcess client, ClientPlace place, RunSpec spec, Consumer<String> say) {
        try {
            place.clean(spec);
        } catch (IOException e) {
            say.accept("note: the run directory of " + client.name() + " is here, and could not be removed there: "
                    + e.getMessage());
        }
    }

    /**
     * Merges the run directories of those clients that have begun one; the others are missing, and the merged run incomplete. So is what
     * a lost client has left, when it cannot be merged.
     *
     * @param out with nothing in it but the clients' directories
     * @param command for {@code run.json}
     * @throws MergeException when one of them is damaged; nothing was written
     */
    public RunMerge.Merged merge(Path out, List<String> command) {
        List<Path> begun = specs.stream()
                .map(RunSpec::out)
                .filter(directory -> Files.exists(directory.resolve(RunFile.RUN)))
                .toList();
        List<Path> fragments = lost.stream()
                .filter(directory -> Files.exists(directory) && !begun.contains(directory))
                .toList();
        try {
            return without(fragments, begun, out, command);
        } catch (MergeException e) {
            List<Path> whole = begun.stream()
                    .filter(directory -> !lost.contains(directory))
                    .toList();
            if (whole.size() == begun.size()) {
                throw e;
            }
            meeting.incomplete("what a lost client has left cannot be merged: " + String.join("; ", e.problems()));
            return without(List.copyOf(lost), whole, out, command);
        }
    }

    /** Beside the merged run there may be nothing but what it is made of. */
    private RunMerge.Merged without(List<Path> fragments, List<Path> whole, Path out, List<String> command) {
        Map<Path, Path> aside = new LinkedHashMap<>();
        return Io.get("cannot move the directory of the lost client", () -> {
            for (Path directory : fragments) {
                if (Files.exists(directory)) {
                    Path parent = Files.createTempDirectory(out.toAbsolutePath().getParent(), "lost");
                    aside.put(directory, Files.move(directory, parent.resolve(directory.getFileName())));
                }
            }
            try {
                return RunMerge.merge(whole, out, meeting.reasons(), command);
            } finally {
                for (Map.Entry<Path, Path> each : aside.entrySet()) {
                    Files.move(each.getValue(), each.getKey());
                    Files.delete(each.getValue().getParent());
                }
            }
        });
    }
}
