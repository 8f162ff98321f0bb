package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What happens to the servers of a cluster, from their processes, what they print and what they answer. A data node is down when its
 * process has ended, or when another one has become primary in its place and it does not answer as one that is well. The failure of the primary is handled when another one has become primary, that of
 * another node at once when there is a primary. A node is recovered when it answers so, and has what the primary had when it answered
 * so first. Asked and told under the watch's lock.
 */
final class DeclaredHistory implements ProcessHistory {
    private final EngineFile file;
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private final Consumer<EngineEvent> sink;
    /** Who was primary last, also when it is down and there is none in its place yet; empty when nobody was. */
    private String primary;
    /** It has said that it no longer is. */
    private boolean steppedDown;

    private enum Life {
        DOWN,
        /** Its process is there, and another node has taken its place. */
        OUT,
        STARTING,
        RECOVERED
    }

    private static final class Server {
        final boolean data;
        final Probe probe;
        Life life = Life.DOWN;
        boolean running;
        boolean synchronising;
        /** When another node became primary in its place, while it seemed well; null when none did. It is asked whether it is. */
        Moment doubted;

        String doubtedBy = "";
        /** It was asked to stop: until it has, it is neither out nor back, whatever it hands over. */
        boolean stopping;
        /** Its failure is not handled yet. */
        boolean open;
        /** When its life changed: answers to earlier questions say nothing of now. */
        long since = Long.MIN_VALUE;
        /** When it was asked what it answered first as one that has recovered; 0 while it has not. */
        long well;
        /** What it has to have then; -1 while that is not known. */
        long target = -1;
        /** Its events keep their order, however their times were compared. */
        long last = Long.MIN_VALUE;

        String step = "";

        Server(boolean data, Probe probe) {
            this.data = data;
            this.probe = probe;
        }

        boolean serves() {
            return running && life == Life.RECOVERED;
        }

        boolean coming() {
            return running && life != Life.RECOVERED;
        }

        void becomes(Life next, long nanos) {
            life = next;
            since = nanos;
            synchronising = false;
            doubted = null;
            forget();
        }

        void forget() {
            well = 0;
            target = -1;
        }
    }

    /** @param ids of all servers, data nodes first */
    DeclaredHistory(EngineFile file, Iterable<String> ids, Consumer<EngineEvent> sink) {
        this.file = file;
        ids.forEach(id -> servers.put(
                id, new Server(!file.helperIds().contains(id), file.group(id).probe())));
        this.primary = file.primary().orElse("");
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
        return servers.get(id).life == Life.OUT;
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

    /** What it is, in a word; empty for the primary, which others name, and while there is none. */
    String role(String id) {
        boolean replica = coordinator().filter(other -> !other.equals(id)).isPresent();
        return !servers.get(id).data ? "no data" : replica ? "replica" : "";
    }

    /** Whether a server is to be asked: it comes back, or says what others must have. */
    boolean wanted(String id) {
        return servers.get(id).coming()
                || servers.get(id).doubted != null
                || id.equals(primary) && servers.values().stream().anyMatch(each -> each.coming() && each.well > 0);
    }

    // --- Processes

    void processSeen(String id, long pid, Moment at) {
        Server server = servers.get(id);
        server.running = true;
        server.stopping = false;
        server.becomes(Life.STARTING, at.nanos());
        emit(id, Signal.PROCESS_STARTED, at, "process", "process " + pid + " started");
    }

    /** The server is about to be asked to stop. */
    void stopping(String id) {
        servers.get(id).stopping = true;
    }

    void processEnded(String id, long pid, Moment at) {
        Server server = servers.get(id);
        server.running = false;
        server.stopping = false;
        server.becomes(Life.DOWN, at.nanos());
        emit(id, Signal.NODE_DOWN, at, "process", "process " + pid + " has ended");
        if (!server.data) {
            emit(id, Signal.FAILURE_HANDLED, at, "process", "no data node waits for it");
        } else {
            server.open = true;
            if (!file.hasPrimary()) {
                servers.keySet().stream()
                        .filter(other ->
                                servers.get(other).data && servers.get(other).serves())
                        .findFirst()
                        .ifPresent(other -> handled(id, at, "process", other + " goes on without it; none is primary"));
            } else {
                coordinator()
                        .ifPresent(
                                other -> handled(id, at, "process", "the primary, " + other + ", goes on without it"));
            }
        }
        abandon(at);
    }

    /** When nobody is left who could take over. */
    private void abandon(Moment at) {
        if (servers.values().stream().noneMatch(each -> each.data && each.serves())) {
            servers.forEach((id, each) -> {
                if (each.open) {
                    each.open = false;
                    emit(id, Signal.UNHANDLED, at, "process", "no node is left that could handle the failure of " + id);
                }
            });
        }
    }

    private void handled(String id, Moment at, String source, String text) {
        servers.get(id).open = false;
        emit(id, Signal.FAILURE_HANDLED, at, source, text);
    }

    // --- Logs

    /** Takes in a line that a server has printed. */
    void reported(String id, LogLines.Meaning meaning, String text, Moment at) {
        Server server = servers.get(id);
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

    private void primary(String id, Moment at, String source, String text) {
        Server former = servers.get(primary);
        if (former != null && !id.equals(primary) && former.serves() && !former.stopping) {
            former.doubted = at;
            former.doubtedBy = id + " is primary in its place: " + text;
        }
        servers.get(id).doubted = null;
        if (!id.equals(primary)) {
            servers.values().stream()
                    .filter(Server::coming)
                    .forEach(Server::forget); // what they must have is another's
        }
        primary = id;
        steppedDown = false;
        emit(id, Signal.NOTE, at, source, "primary: " + text);
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
        Server server = servers.get(id);
        boolean isPrimary = id.equals(primary);
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
        server.becomes(Life.RECOVERED, received.nanos());
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
        Server server = servers.get(id);
        if (server.doubted == null || askedNanos <= server.doubted.nanos()) {
            return;
        }
        Moment at = server.doubted;
        String text = server.doubtedBy;
        if (well) {
            server.doubted = null;
            emit(id, Signal.NOTE, at, id + ".probe", "is well and no longer primary: " + text);
        } else {
            server.becomes(Life.OUT, at.nanos());
            emit(id, Signal.NODE_DOWN, at, id + ".probe", text);
            handled(id, at, id + ".probe", text);
        }
    }

    private void emit(String id, Signal signal, Moment at, String source, String text) {
        Server server = servers.get(id);
        server.last = Math.max(server.last, at.nanos());
        sink.accept(new EngineEvent(server.last, at.wall(), id, signal, source, text));
    }
}
