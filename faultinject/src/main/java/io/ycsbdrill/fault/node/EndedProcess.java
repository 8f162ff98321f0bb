package io.ycsbdrill.fault.node;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether the process of a node that was started has ended. Only several answers in a row prove it: a supervisor may just be starting it,
 * or starting another one. Not thread-safe.
 */
public final class EndedProcess {
    /** From one question to the next. */
    public static final Duration EVERY = Duration.ofSeconds(1);

    /** A server on a busy host takes seconds to open its data or to write its pid file, by which alone it is known elsewhere. */
    private static final int ANSWERS = 10;

    private final Supplier<Optional<String>> question;
    private final Duration every;
    private int inARow;

    /** @param question as {@link Startable#ended} answers it */
    public EndedProcess(Supplier<Optional<String>> question) {
        this(question, EVERY);
    }

    /** @param every from one question of {@link #awaitBegun} to the next, in place of {@link #EVERY} */
    public EndedProcess(Supplier<Optional<String>> question, Duration every) {
        this.question = question;
        this.every = every;
    }

    /** Asks once more; why the node will not come back, or empty as long as that is not proven. */
    public Optional<String> ask() {
        Optional<String> why = question.get();
        inARow = why.isPresent() ? inARow + 1 : 0;
        return why.filter(said -> inARow >= ANSWERS);
    }

    /**
     * Waits until there may be a process of a node whose start command has ended well.
     *
     * @throws NodeControlException when there is none
     */
    public void awaitBegun(String node) {
        for (Optional<String> why = ask(); inARow > 0; why = ask()) {
            if (why.isPresent()) {
                throw new NodeControlException("the start command for node " + node + " ended well, but " + why.get());
            }
            NodeLocks.pause(every);
        }
    }
}
