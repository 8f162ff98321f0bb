package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.kit.Moment;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The same of data nodes on other hosts, whose logs are not read: answers alone say who is primary, where the file's probe says that. The
 * failure of a node is handled when a node answers as the primary that was asked after it; where answers do not say who is primary, when
 * another one answers as one that has recovered.
 */
final class AnsweredHistory extends DeclaredHistory {
    /** An answer that was asked for longer ago does not say who is primary now. */
    static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** So many questions in a row that a former primary does not answer say that it is out. */
    private static final int MISSES = 3;

    private final boolean claims;
    /** When the primary became one, as far as answers tell. */
    private Moment primarySince = Moment.now();
    /** The process of the one that was primary last has ended, and nobody has been primary since. */
    private boolean lapsed;

    AnsweredHistory(EngineFile file, Iterable<String> ids, Consumer<EngineEvent> sink) {
        super(file, "", sink);
        this.claims = file.nodes().probe().primary().isPresent();
        ids.forEach(id -> {
            servers.put(id, new DeclaredServer(true, file.nodes().probe()));
            known(id, false);
        });
    }

    @Override
    boolean isPrimary(String id) {
        return !lapsed && super.isPrimary(id);
    }

    @Override
    public Optional<String> coordinator() {
        return super.coordinator().filter(id -> !lapsed && servers.get(id).claims);
    }

    /** Empty when nobody has said lately that it is. */
    @Override
    Optional<String> primaryAt(long nowNanos) {
        return coordinator().filter(id -> nowNanos - servers.get(id).askedNanos < FRESH_NANOS);
    }

    /** All are, where they say who is primary, and while somebody has to say that the others go on. */
    @Override
    boolean wanted(String id) {
        return super.wanted(id)
                || running(id) && (claims || servers.values().stream().anyMatch(each -> each.open));
    }

    /** Who goes on is asked. */
    @Override
    void failed(String id, Moment at) {
        DeclaredServer server = servers.get(id);
        server.down = at;
        server.answersNothing();
        server.misses = 1;
        lapsed |= super.isPrimary(id);
    }

    /** Its answer says what it takes over. */
    @Override
    void tookOver(String id, Moment at, String source, String text) {
        primarySince = at;
        lapsed = false;
    }

    @Override
    void answered(String id, String answer, long askedNanos, Moment received) {
        DeclaredServer server = servers.get(id);
        if (!server.running || askedNanos <= server.since) {
            return; // it was another process's answer
        }
        boolean says = claims && server.probe.primary().orElseThrow().in(answer);
        boolean well = !says && server.probe.recovered(answer, false);
        server.misses = well || says && server.doubted == null ? 0 : server.misses + 1;
        if (claims) {
            boolean news = says && !server.claims;
            server.claims = says;
            server.askedNanos = askedNanos;
            server.noBefore = says ? Long.MIN_VALUE : well ? askedNanos : server.no;
            server.no = says ? Long.MIN_VALUE : askedNanos;
            if (says && !isPrimary(id)) {
                claimed(id, news, received);
            }
        }
        if (server.doubted != null && !well && server.misses < MISSES) {
            return; // an answer may have been cut, or a replica be connected in a moment
        }
        super.answered(id, answer, askedNanos, received);
        boolean goesOn = claims ? coordinator().filter(id::equals).isPresent() : well;
        servers.forEach((each, other) -> {
            if (goesOn && other.open && !each.equals(id) && askedNanos > other.since) {
                handled(
                        each,
                        claims ? Moment.latest(other.down, primarySince) : received,
                        id + ".probe",
                        id + " answers as " + (claims ? "the primary" : "one that has recovered"));
            }
        });
    }

    /**
     * A node that serves and says for the first time that it is primary has taken over. A former primary may say so, too, until it is made
     * a replica: who was not well a moment ago is believed only when every other node that may have a process has answered as none that was
     * asked since this one was started. One that is no replica in order has to do so twice, as an answer may have been cut.
     */
    private void claimed(String id, boolean news, Moment at) {
        DeclaredServer server = servers.get(id);
        boolean alone = servers.values().stream()
                .allMatch(each -> each == server || each.known && (!each.running || each.noBefore > server.since));
        if (alone || news && server.serves() && server.doubted == null) {
            primary(id, at, id + ".probe", "it answers as one");
        }
    }

    @Override
    void unanswered(String id, long askedNanos) {
        DeclaredServer server = servers.get(id);
        server.answersNothing();
        server.misses++;
        if (server.misses >= MISSES) {
            super.unanswered(id, askedNanos);
        }
    }
}
