package io.ycsbdrill.fault.recovery;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.ProcessFault;
import io.ycsbdrill.fault.StarveNode;
import io.ycsbdrill.fault.marker.Occurrence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Folds the observations of one node, in order of time, into its recoveries. */
final class NodeHistory {

    /** A cluster may eject a node for having been silent even after it is back; later failures have other causes. */
    static final long EJECTION_NANOS = 30_000_000_000L;

    /** Faults that end with the process they are done to. */
    private static final Set<String> OF_PROCESS =
            Set.of(PauseNode.NAME, ProcessFault.Kind.PAUSE.fault(), StarveNode.NAME);

    private final String node;
    private final List<Recovery> done = new ArrayList<>();
    /** Faults that have not released the node yet, in order of their beginning. */
    private final List<Occurrence> inForce = new ArrayList<>();

    private List<PhaseSpan> spans = new ArrayList<>();
    private Occurrence of = Occurrence.UNPLANNED;
    private OptionalLong released = OptionalLong.empty();
    /** When the engine said that the node has recovered though it was not released yet: true if its release was under way. */
    private OptionalLong early = OptionalLong.empty();
    /** Whether the fault is in force again after another one that it has outlasted. */
    private boolean again;

    private NodeHistory(String node) {
        this.node = node;
    }

    static List<Recovery> of(String node, List<Observation> inOrder) {
        NodeHistory history = new NodeHistory(node);
        inOrder.forEach(history::see);
        history.finish();
        return List.copyOf(history.done);
    }

    private void see(Observation o) {
        long at = o.atNanos();
        if (o instanceof Observation.Begun fault) {
            begin(at, fault.of(), Phase.FAULT);
            if (fault.releases()) {
                inForce.add(fault.of());
            }
        } else if (o instanceof Observation.Released release) {
            release(release.requestedNanos(), at, release.of());
        } else if (o instanceof Observation.Seen sign) {
            see(at, sign.phase());
        }
    }

    private void see(long at, Phase sign) {
        Phase now = active() ? phase() : Phase.STEADY;
        if (sign == Phase.LOCAL_RECOVERY) {
            inForce.removeIf(fault -> OF_PROCESS.contains(fault.fault()) && !fault.equals(of));
        }
        if (again && now == Phase.FAULT && sign != Phase.FAILURE_HANDLING) {
            return; // a late sign of the recovery that is over
        }
        early = OptionalLong.empty();
        switch (sign) {
            case FAILURE_HANDLING -> {
                if (now == Phase.STEADY && (inForce.contains(of) || ejected(at))) {
                    takeBack();
                    enter(at, Phase.FAILURE_HANDLING);
                } else if (now == Phase.STEADY) {
                    begin(at, lastInForce().orElse(Occurrence.UNPLANNED), Phase.FAILURE_HANDLING);
                } else if (now == Phase.FAULT || now.compareTo(Phase.DOWN) > 0) {
                    // A node that is back has died again. A node that is down is often reported by several survivors.
                    enter(at, Phase.FAILURE_HANDLING);
                }
            }
            case DOWN -> {
                if (now == Phase.FAULT || now == Phase.FAILURE_HANDLING) {
                    enter(at, Phase.DOWN);
                }
            }
            case RECOVERED -> {
                // Before the process is back, or the node released, this is about an earlier recovery.
                if (now.compareTo(Phase.DOWN) > 0 || released.isPresent() && now != Phase.STEADY) {
                    enter(at, Phase.RECOVERED);
                    goOn(at);
                } else if (now == Phase.FAILURE_HANDLING || now == Phase.DOWN) {
                    early = OptionalLong.of(at);
                }
            }
            default -> {
                if (now != Phase.STEADY && sign.compareTo(now) > 0) {
                    enter(at, sign);
                }
            }
        }
    }

    private void release(long requestedAt, long at, Occurrence by) {
        inForce.remove(by);
        if (by.equals(of)) {
            leftAlone(requestedAt, at);
        } else if (!overtaken(by)) {
            resumed(requestedAt, at);
        }
    }

    /** A step without a recovery has released the node: from the pause of another step, or from what else had stopped it. */
    private void resumed(long requestedAt, long at) {
        Optional<Occurrence> pause = inForce.stream()
                .filter(fault -> fault.fault().equals(PauseNode.NAME))
                .reduce((earlier, later) -> later);
        if (pause.isPresent()) {
            release(requestedAt, at, pause.get());
        } else if (active() && !inForce.contains(of)) {
            leftAlone(requestedAt, at);
        }
    }

    private void leftAlone(long requestedAt, long at) {
        released = OptionalLong.of(at);
        if (active() && phase() == Phase.FAULT) {
            enter(at, Phase.RECOVERED);
        } else if (early.isPresent() && early.getAsLong() >= requestedAt) {
            enter(early.getAsLong(), Phase.RECOVERED);
        }
        goOn(at);
    }

    /** When the node has recovered from a fault that is over, the last one that is not is in force again. */
    private void goOn(long at) {
        if (!active() && !inForce.contains(of)) {
            lastInForce().ifPresent(other -> {
                begin(at, other, Phase.FAULT);
                again = true;
            });
        }
    }

    /** Whether another fault has ended the recovery from this one. */
    private boolean overtaken(Occurrence fault) {
        return done.stream().anyMatch(recovery -> recovery.of().equals(fault));
    }

    private Optional<Occurrence> lastInForce() {
        return inForce.isEmpty() ? Optional.empty() : Optional.of(inForce.get(inForce.size() - 1));
    }

    /** It was not recovered after all. If it had not been out before, the fault lasted until now. */
    private void takeBack() {
        int last = spans.size() - 1;
        if (spans.get(last - 1).phase() == Phase.FAULT) {
            spans.remove(last);
        }
    }

    /** Whether a failure now is the late consequence of a pause or the like that has just ended. */
    private boolean ejected(long at) {
        return !spans.isEmpty() && released.isPresent() && at - released.getAsLong() <= EJECTION_NANOS;
    }

    /** A new recovery; one that is under way ends here, unfinished. */
    private void begin(long at, Occurrence cause, Phase first) {
        if (active()) {
            closeLast(at);
        }
        finish();
        spans = new ArrayList<>();
        of = cause;
        released = OptionalLong.empty();
        again = false;
        enter(at, first);
    }

    /** The only place where a phase changes. */
    private void enter(long at, Phase next) {
        if (!spans.isEmpty()) {
            closeLast(at);
        }
        early = OptionalLong.empty();
        spans.add(new PhaseSpan(next, at, OptionalLong.empty()));
    }

    private void closeLast(long at) {
        spans.set(spans.size() - 1, spans.get(spans.size() - 1).until(at));
    }

    private boolean active() {
        return !spans.isEmpty() && phase() != Phase.RECOVERED;
    }

    private Phase phase() {
        return spans.get(spans.size() - 1).phase();
    }

    private void finish() {
        if (!spans.isEmpty()) {
            done.add(new Recovery(node, of, spans));
        }
    }
}
