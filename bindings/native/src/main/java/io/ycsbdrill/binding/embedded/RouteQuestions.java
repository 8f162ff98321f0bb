package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.embedded.NodeLink.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.IgniteClientFuture;

/**
 * Asks the nodes for the routes of tables. One that still owes an answer is not asked again, as it would have all the
 * questions to answer when it comes back: what it owes is waited for. Thread-safe.
 */
final class RouteQuestions {
    /** How long the first node has to answer before the others are asked, too. */
    private static final int ALONE_MILLIS = 50;

    /**
     * What a node has answered.
     *
     * @param view the routes; empty when it knows no such table, null when there is no answer
     * @param failure why there is no answer; null when there is one
     */
    record Answer(NodeLink link, Connection connection, Optional<Routes> view, Throwable failure) {}

    private record Asked(Connection connection, String table) {}

    private final List<NodeLink> links;
    private final Map<Asked, CompletionStage<Optional<Routes>>> unanswered = new ConcurrentHashMap<>();

    RouteQuestions(List<NodeLink> links) {
        this.links = links;
    }

    /** @param millis how long answers are waited for, from now on */
    Question ask(String table, long millis) {
        return new Question(table, millis);
    }

    /** Asks a node for the routes as it sees them; the answer is null when it knows no such table. */
    static IgniteClientFuture<long[]> ask(Connection connection, String table) {
        return connection.client().compute().<String, long[]>executeAsync2(PrimariesTask.class.getName(), table);
    }

    static Optional<Routes> view(long[] answer) {
        return Optional.ofNullable(answer).map(Routes::of);
    }

    /** In random order, but those that owe an answer last. */
    private List<NodeLink> inOrder(String table) {
        List<NodeLink> shuffled = new ArrayList<>(links);
        Collections.shuffle(shuffled, ThreadLocalRandom.current());
        Map<Boolean, List<NodeLink>> owing =
                shuffled.stream().collect(Collectors.partitioningBy(link -> owes(link.connection(), table)));
        return Stream.of(false, true).flatMap(owes -> owing.get(owes).stream()).toList();
    }

    private boolean owes(Connection connection, String table) {
        return connection != null && unanswered.containsKey(new Asked(connection, table));
    }

    private CompletionStage<Optional<Routes>> answer(Connection connection, String table) {
        Asked asked = new Asked(connection, table);
        CompletionStage<Optional<Routes>> owed = unanswered.get(asked);
        if (owed != null) {
            return owed;
        }
        CompletionStage<Optional<Routes>> answer = ask(connection, table).thenApply(RouteQuestions::view);
        unanswered.put(asked, answer);
        answer.whenComplete((view, failure) -> unanswered.remove(asked, answer));
        return answer;
    }

    /** One question, for one thread: whoever asks takes answers until one is enough. */
    final class Question {
        private final String table;
        private final Queue<NodeLink> unasked;
        private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        private final long startNanos = System.nanoTime();
        private final long millis;
        private int open;

        private Question(String table, long millis) {
            this.table = table;
            this.millis = millis;
            unasked = new ArrayDeque<>(inOrder(table));
            askNext();
        }

        /** The next answer or failure; null when there is no other node, or none in time. */
        Answer next() {
            Answer answer = open > 0 && !unasked.isEmpty() ? poll(Math.min(ALONE_MILLIS, millis)) : null;
            if (answer == null) {
                while (!unasked.isEmpty()) {
                    askNext();
                }
                answer = open > 0 ? poll(millis) : null;
            }
            if (answer != null) {
                open--;
            }
            return answer;
        }

        /** Whether a call that has no next answer was given up as nodes did not answer in time. */
        boolean isLate() {
            return open > 0;
        }

        /** Asks one of those that have not been asked and have a connection, if there is any. */
        private void askNext() {
            while (!unasked.isEmpty()) {
                NodeLink link = unasked.remove();
                Connection connection = link.connection();
                if (connection != null) {
                    open++;
                    try {
                        answer(connection, table)
                                .whenComplete(
                                        (view, failure) -> answers.add(new Answer(link, connection, view, failure)));
                    } catch (RuntimeException e) {
                        answers.add(new Answer(link, connection, null, e));
                    }
                    return;
                }
            }
        }

        /** Null when there is none so long after the start. */
        private Answer poll(long sinceStartMillis) {
            long left = startNanos + TimeUnit.MILLISECONDS.toNanos(sinceStartMillis) - System.nanoTime();
            try {
                return answers.poll(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClientException("interrupted", e);
            }
        }
    }
}
