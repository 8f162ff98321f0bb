package io.ycsbdrill.client.audit.journal;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.binding.Outcome;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the clients of a run did, for checkers of others: in Jepsen's EDN and, the same, in JSON lines. Every field of a row is a register whose
 * values are each written once; an operation is a transaction of one row. Kept in memory, about 200 bytes for each
 * operation and 100 for each field in it. Used by one thread.
 */
public final class HistoryExport {
    /** In Jepsen's form. */
    public static final String EDN = "history.edn";

    /** The same as JSON, an event a line. */
    public static final String LINES = "history.jsonl";

    private final List<String> rowFields;
    private final List<Call> calls = new ArrayList<>();
    private int thread;

    /** One register in an operation; its value is null in an unwritten row, and while it is not known yet. */
    private record Part(boolean write, String register, Long value) {}

    /** @param endNanos {@link Long#MAX_VALUE} when it has not ended */
    private record Call(int thread, long startNanos, long endNanos, Outcome outcome, List<Part> parts) {}

    private record Event(long atNanos, boolean begin, String type, Call call) {}

    /**
     * Reads the journals.
     *
     * @param rowFields the fields of a row, which an insert writes
     * @throws UncheckedIOException when one cannot be read
     */
    public HistoryExport(List<Path> journals, List<String> rowFields) {
        this.rowFields = List.copyOf(rowFields);
        Io.run("history", () -> {
            for (Path journal : journals) {
                JournalReader reader = new JournalReader(journal);
                thread++;
                reader.read(new Visitor());
            }
        });
    }

    private final class Visitor implements JournalReader.Visitor {
        @Override
        public boolean wants(int keyHash) {
            return true;
        }

        @Override
        public void read(String key, String field, long found, long start, long end) {
            Long value = found == Stamp.OTHER ? null : found;
            calls.add(new Call(
                    thread,
                    start,
                    end,
                    Outcome.OK,
                    parts(false, key, field == null ? rowFields : List.of(field), value)));
        }

        @Override
        public void write(
                long id, Write.Kind kind, String key, List<String> fields, long start, Outcome outcome, long end) {
            Long value = kind == Write.Kind.DELETE ? null : id;
            calls.add(new Call(
                    thread, start, end, outcome, parts(true, key, fields.isEmpty() ? rowFields : fields, value)));
        }

        private List<Part> parts(boolean write, String key, List<String> fields, Long value) {
            return fields.stream()
                    .map(field -> new Part(write, key + "/" + field, value))
                    .toList();
        }
    }

    /**
     * Writes both files.
     *
     * @return how many operations they have
     * @throws UncheckedIOException when one cannot be written
     */
    public int write(Path directory) {
        List<Event> events = events();
        Path draftOfEdn = draft(directory, EDN);
        Path draftOfLines = draft(directory, LINES);
        Io.run("history: " + directory + " cannot be written", () -> {
            write(events, draftOfEdn, draftOfLines);
            AtomicFile.replace(draftOfEdn, directory.resolve(EDN));
            AtomicFile.replace(draftOfLines, directory.resolve(LINES));
        });
        return calls.size();
    }

    private static Path draft(Path directory, String name) {
        return directory.resolve("." + name + "." + ProcessHandle.current().pid() + ".draft");
    }

    /** The directory may be another user's, who can put links there: what is there already is never written to. */
    private static BufferedWriter fresh(Path draft) throws IOException {
        Files.deleteIfExists(draft);
        return Files.newBufferedWriter(draft, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    private static void write(List<Event> events, Path draftOfEdn, Path draftOfLines) throws IOException {
        try (BufferedWriter edn = fresh(draftOfEdn);
                BufferedWriter lines = fresh(draftOfLines)) {
            Processes processes = new Processes();
            long zero = events.isEmpty() ? 0 : events.get(0).atNanos();
            for (int i = 0; i < events.size(); i++) {
                Event event = events.get(i);
                int process = processes.of(event);
                long time = event.atNanos() - zero;
                edn.write("{:index " + i + ", :time " + time + ", :type :" + event.type() + ", :process " + process
                        + ", :f :txn, :value [" + value(event, " ", ":r", ":w", "nil") + "]}\n");
                lines.write("{\"index\":" + i + ",\"time\":" + time + ",\"type\":\"" + event.type() + "\",\"process\":"
                        + process + ",\"f\":\"txn\",\"value\":[" + value(event, ",", "\"r\"", "\"w\"", "null")
                        + "]}\n");
            }
        }
    }

    private List<Event> events() {
        List<Event> events = new ArrayList<>();
        long last = calls.stream()
                .mapToLong(call -> call.endNanos() == Long.MAX_VALUE ? call.startNanos() : call.endNanos())
                .max()
                .orElse(0);
        for (Call call : calls) {
            events.add(new Event(call.startNanos(), true, "invoke", call));
            String type = call.outcome() == Outcome.OK ? "ok" : call.outcome() == Outcome.FAILED ? "fail" : "info";
            events.add(new Event(Math.min(call.endNanos(), last), false, type, call));
        }
        // At one moment, what ended comes after what began: then they are concurrent, which accuses nobody.
        events.sort(Comparator.comparingLong(Event::atNanos).thenComparing(event -> !event.begin()));
        return events;
    }

    /** A read is not known when it begins. */
    private static String value(Event event, String separator, String read, String write, String none) {
        return event.call().parts().stream()
                .map(part -> "[" + (part.write() ? write : read) + separator + quoted(part.register()) + separator
                        + (part.value() == null || event.begin() && !part.write() ? none : part.value()) + "]")
                .collect(Collectors.joining(separator));
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** Each thread is a process: another one after an operation whose end is unknown, and for what it sends beside another operation. */
    private static final class Processes {
        private final Map<Integer, Integer> ofThread = new HashMap<>();
        private final Map<Call, Integer> busy = new IdentityHashMap<>();
        private int next;

        int of(Event event) {
            Call call = event.call();
            if (!event.begin()) {
                int process = busy.remove(call);
                if (event.type().equals("info")) {
                    ofThread.remove(call.thread(), process);
                }
                return process;
            }
            Integer own = ofThread.get(call.thread());
            int process = own == null || busy.containsValue(own) ? next++ : own;
            if (own == null) {
                ofThread.put(call.thread(), process);
            }
            busy.put(call, process);
            return process;
        }
    }
}
