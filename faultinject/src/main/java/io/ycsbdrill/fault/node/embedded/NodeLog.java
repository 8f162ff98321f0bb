package io.ycsbdrill.fault.node.embedded;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The engine's log: to a bounded file, and the steps of a recovery to a listener as well. */
final class NodeLog {
    private static final int BYTES = 8 << 20;

    /** Log messages of the engine at the steps of its local recovery and of its rebalance. */
    private static final List<String> STEPS = List.of(
            "Read checkpoint status",
            "Checking memory state",
            "Found last checkpoint marker",
            "Applying lost cache updates since last checkpoint record",
            "Applying lost memory updates since last checkpoint record",
            "Finished applying memory changes",
            "Finished applying WAL changes",
            "Restoring partition state for local groups",
            "Finished restoring partition state for local groups",
            "Prepared rebalancing",
            "Completed rebalance chain",
            "Cache groups were not reserved",
            "Local node's value of baseline");

    /** Replaces whatever logging the JVM has. The file is rotated once, so that two of it exist at most. */
    static void install(NodeFiles files, Consumer<String> steps) throws IOException {
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        FileHandler file = new FileHandler(files.home() + "/node.log.%g", BYTES, 2, true);
        file.setFormatter(new Line());
        root.addHandler(file);
        root.addHandler(new Steps(steps));
        root.setLevel(Level.INFO);
    }

    private static final class Steps extends Handler {
        private final Consumer<String> steps;

        Steps(Consumer<String> steps) {
            this.steps = steps;
        }

        @Override
        public void publish(LogRecord entry) {
            String message = entry.getMessage();
            if (message != null && STEPS.stream().anyMatch(message::startsWith)) {
                steps.accept(message);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static final class Line extends Formatter {
        private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS");

        @Override
        public String format(LogRecord entry) {
            StringWriter text = new StringWriter();
            text.append(TIME.format(LocalDateTime.ofInstant(entry.getInstant(), ZoneId.systemDefault())))
                    .append(' ')
                    .append(entry.getLevel().getName())
                    .append(" [")
                    .append(Thread.currentThread().getName())
                    .append("] ")
                    .append(formatMessage(entry))
                    .append('\n');
            if (entry.getThrown() != null) {
                entry.getThrown().printStackTrace(new PrintWriter(text));
            }
            return text.toString();
        }
    }
}
