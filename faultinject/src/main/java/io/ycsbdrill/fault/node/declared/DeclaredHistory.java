package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What happens to the servers of a cluster, from their processes, what they print and what they answer. A data node is down when its
 * process has ended, or when another one has become primary in its place and it does not answer as one that is well. The failure of the primary is handled when another one has become primary, that of
 * another node at once when there is a primary. A node is recovered when it answers so, and has what the primary had when it answered
 * so first. Asked and told under the watch's lock.
 */
class DeclaredHistory implements ProcessHistory {
    private final EngineFile file;
    final Map<String, DeclaredServer> servers = new LinkedHashMap<>();
    /** Who was primary last, also when it is down and there is none in its place yet; empty when nobody was. */
    String primary;

    private final Consumer<EngineEvent> sink;
    /** It has said that it no longer is. */
    private boolean steppedDown;

    /** @param ids of all servers, data nodes first */
    DeclaredHistory(EngineFile file, Iterable<String> ids, Consumer<EngineEvent> sink) {
        this(file, file.primary().orElse(""), sink);
        ids.forEach(id -> servers.put(
                id,
                new DeclaredServer(
                        !file.helperIds().contains(id), file.group(id).probe())));
    }

    /** One without servers. */
    DeclaredHistory(EngineFile file, String primary, Consumer<EngineEvent> sink) {
        this.file = file;
        this.primary = primary;
        this.sink = sink;
    }

    // --- Questions

    @Override
    public boolean running(String id) {
        return servers.get(id).running;
    }

    @Override
    public boolean recovered(String id) {
        return servers.get(id).serves();
    }

    @Override
    public boolean dropped(String id) {
        return servers.get(id).life == DeclaredServer.Life.OUT;
    }

    @Override
    public boolean failureOpen(String id) {
        return servers.get(id).open;
    }

    @Override
    public Optional<String> coordinator() {
        return Optional.of(primary)
                .filter(id -> !id.isEmpty() && !steppedDown && servers.get(id).running && !dropped(id));
    }

    boolean isPrimary(String id) {
        return id.equals(primary);
    }

    /** Takes in whether it is known now whether a server has a process. */
    void known(String id, boolean known) {
        servers.get(id).known = known;
    }

    /** The primary as it is known at a time. */
    Optional<String> primaryAt(long nowNanos) {
        return coordinator();
    }

    /** How it is, for people: {@code recovering; replica}. Of the primary, which others name, it says no role. */
    String detail(String id) {
        boolean replica = coordinator().filter(other -> !other.equals(id)).isPresent();
        String role = !servers.get(id).data ? "no data" : replica ? "replica" : "";
        String state = recovered(id) ? "" : dropped(id) ? "out: another node is primary in its place" : "recovering";
        return Stream.of(state, role).filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
    }

    /** Whether a server is to be asked: it comes back, or says what others must have. */
    boolean wanted(String id) {
        return servers.get(id).coming()
                || servers.get(id).doubted != null
                || id.equals(primary) && servers.values().stream().anyMatch(each -> each.coming() && each.well > 0);
    }

    // --- Processes

    /** @param first whether nothing was known of the server before, so that nobody has seen it start */
    void processSeen(String id, String pid, Moment at, boolean first) {
        DeclaredServer server = servers.get(id);
        server.running = true;
        server.stopping = false;
        server.becomes(DeclaredServer.Life.STARTING, at.nanos());
        if (!first) {
            emit(id, Signal.PROCESS_STARTED, at, "process", "process " + pid + " started");
        }
    }

    /** The server is about to be asked to stop. */
    void stopping(String id) {
        servers.get(id).stopping = true;
    }

    void processEnded(String id, String pid, Moment at) {
        DeclaredServer server = servers.get(id);
        server.running = false;
        server.stopping = false;
        server.becomes(DeclaredServer.Life.DOWN, at.nanos());
        emit(id, Signal.NODE_DOWN, at, "process", "process " + pid + " has ended");
        if (!server.data) {
            emit(id, Signal.FAILURE_HANDLED, at, "process", "no data node waits for it");
        } else {
            server.open = true;
            failed(id, at);
        }
        abandon(at);
    }

    /** The others go on without a node at once, when there is a primary, or none is needed. */
    void failed(String id, Moment at) {
        if (!file.hasPrimary()) {
            servers.keySet().stream()
                    .filter(other ->
                            servers.get(other).data && servers.get(other).serves())
                    .findFirst()
                    .ifPresent(other -> handled(id, at, "process", other + " goes on without it; none is primary"));
        } else {
            coordinator()
                    .ifPresent(other -> handled(id, at, "process", "the primary, " + other + ", goes on without it"));
        }
    }

    /** When nobody is left who could take over. */
    private void abandon(Moment at) {
        if (servers.values().stream().noneMatch(each -> each.data && (each.serves() || !each.known))) {
            servers.forEach((id, each) -> {
                if (each.open) {
                    each.open = false;
                    emit(id, Signal.UNHANDLED, at, "process", "no node is left that could handle the failure of " + id);
                }
            });
        }
    }

    /** Said by others: it may be heard after what the node itself has done next, and was so before that all the same. */
    void handled(String id, Moment at, String source, String text) {
        DeclaredServer server = servers.get(id);
        server.open = false;
        long nanos = Math.max(server.downNanos, at.nanos());
        server.last = Math.max(server.last, nanos);
        sink.accept(new EngineEvent(nanos, at.wall(), id, Signal.FAILURE_HANDLED, source, text));
    }

    // --- Logs

    /** Takes in a line that a server has printed. */
    void reported(String id, LogLines.Meaning meaning, String text, Moment at) {
        DeclaredServer server = servers.get(id);
        String source = id + ".log";
        switch (meaning) {
            case PRIMARY -> primary(id, at, source, text);
            case NOT_PRIMARY -> {
                if (id.equals(primary)) {
                    steppedDown = true;
                    emit(id, Signal.NOTE, at, source, "no longer primary: " + text);
                }
            }
            case SYNCHRONISE -> {
                if (server.coming() && !server.synchronising) {
                    server.synchronising = true;
                    emit(id, Signal.SYNCHRONISE_STARTED, at, source, text);
                }
            }
            case STEP -> {
                // What differs in numbers only is repeated, and kept once.
                String words = text.replaceAll("\\d+", "");
                if (!words.equals(server.step)) {
                    server.step = words;
                    emit(id, Signal.STEP, at, source, text);
                }
            }
        }
    }

    void primary(String id, Moment at, String source, String text) {
        DeclaredServer former = servers.get(primary);
        if (former != null && !id.equals(primary) && former.serves() && !former.stopping) {
            former.doubted = at;
            former.doubtedBy = id + " is primary in its place: " + text;
        }
        servers.get(id).doubted = null;
        if (!id.equals(primary)) {
            servers.values().stream()
                    .filter(DeclaredServer::coming)
                    .forEach(DeclaredServer::forget); // what they must have is another's
        }
        primary = id;
        steppedDown = false;
        emit(id, Signal.NOTE, at, source, "primary: " + text);
        tookOver(id, at, source, text);
    }

    /** What others left to be handled is, by a new primary. */
    void tookOver(String id, Moment at, String source, String text) {
        servers.forEach((each, server) -> {
            if (server.open && !each.equals(id)) {
                handled(each, at, source, id + " is primary: " + text);
            }
        });
    }

    // --- Answers

    /**
     * Takes in what a server has answered.
     *
     * @param askedNanos what it says may have been so as early as that
     */
    void answered(String id, String answer, long askedNanos, Moment received) {
        DeclaredServer server = servers.get(id);
        boolean isPrimary = isPrimary(id);
        judge(id, server.probe.recovered(answer, isPrimary), askedNanos);
        if (isPrimary && server.probe.position().isPresent()) {
            long position = server.probe.position(answer);
            servers.forEach((each, other) -> {
                if (!each.equals(id)
                        && other.data
                        && other.coming()
                        && other.well > 0
                        && askedNanos > other.well
                        && other.target < 0) {
                    other.target = position;
                }
            });
        }
        if (!server.coming() || askedNanos <= server.since) {
            return;
        }
        if (!server.probe.recovered(answer, isPrimary)) {
            server.forget();
            return;
        }
        if (server.well == 0) {
            server.well = askedNanos;
        }
        if (!isPrimary && server.probe.position().isPresent()) {
            if (server.target < 0 || server.probe.position(answer) < server.target) {
                return;
            }
        }
        boolean caughtUp = server.target >= 0;
        server.becomes(DeclaredServer.Life.RECOVERED, received.nanos());
        server.open = false;
        emit(
                id,
                Signal.RECOVERED,
                received,
                id + ".probe",
                caughtUp
                        ? "it has what " + primary + " had when the two were connected again"
                        : "it answers as one that has recovered");
    }

    /** Takes in that a server has not answered. */
    void unanswered(String id, long askedNanos) {
        judge(id, false, askedNanos);
    }

    /** A former primary that is well has only handed over; one that is not was replaced. */
    private void judge(String id, boolean well, long askedNanos) {
        DeclaredServer server = servers.get(id);
        if (server.doubted == null || askedNanos <= server.doubted.nanos()) {
            return;
        }
        Moment at = server.doubted;
        String text = server.doubtedBy;
        if (well) {
            server.doubted = null;
            emit(id, Signal.NOTE, at, id + ".probe", "is well and no longer primary: " + text);
        } else {
            server.becomes(DeclaredServer.Life.OUT, at.nanos());
            emit(id, Signal.NODE_DOWN, at, id + ".probe", text);
            handled(id, at, id + ".probe", text);
        }
    }

    void emit(String id, Signal signal, Moment at, String source, String text) {
        DeclaredServer server = servers.get(id);
        server.last = Math.max(server.last, at.nanos());
        server.downNanos = signal == Signal.NODE_DOWN ? server.last : server.downNanos;
        sink.accept(new EngineEvent(server.last, at.wall(), id, signal, source, text));
    }
}
