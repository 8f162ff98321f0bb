package io.ycsbdrill.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Reading and writing whose failure nobody on the way can do anything about: it becomes an unchecked exception that says what
 * could not be done, and why. Stateless.
 */
public final class Io {
    private Io() {}

    /** Work with a result. */
    @FunctionalInterface
    public interface Work<T> {
        /** @throws IOException when it cannot be done */
        T done() throws IOException;
    }

    /** Work without a result. */
    @FunctionalInterface
    public interface Step extends Work<Object> {
        /** @throws IOException when it cannot be done */
        void run() throws IOException;

        @Override
        default Object done() throws IOException {
            run();
            return this;
        }
    }

    /**
     * Does something.
     *
     * @param failure what was not possible then, the beginning of the message: the {@linkplain FileReason reason} follows
     * @param thrown makes the exception, from message and cause
     */
    public static <T> T get(
            String failure, BiFunction<String, IOException, ? extends RuntimeException> thrown, Work<T> work) {
        try {
            return work.done();
        } catch (IOException e) {
            throw thrown.apply(failure + ": " + FileReason.of(e, failure), e);
        }
    }

    /**
     * Does something.
     *
     * @throws UncheckedIOException with this failure and its reason
     */
    public static <T> T get(String failure, Work<T> work) {
        return get(failure, UncheckedIOException::new, work);
    }

    /** {@link #get(String, Work)} of something without a result. */
    public static void run(String failure, Step step) {
        get(failure, step);
    }

    /** Does what fails only when the machine does; the exception has no words of its own then. */
    public static void run(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is in a folder, in the order of names. */
    public static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    /** The names of what is in a folder, in their order. */
    public static List<String> names(Path folder) throws IOException {
        return list(folder).stream().map(each -> each.getFileName().toString()).toList();
    }

    /** The result, or the other value when it cannot be had, whatever the reason. */
    public static <T> T or(T other, Work<T> work) {
        try {
            return work.done();
        } catch (IOException e) {
            return other;
        }
    }
}
