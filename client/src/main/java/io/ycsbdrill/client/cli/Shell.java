package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.client.cluster.CommandContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** Commands of one line each against a database. For one thread. */
final class Shell {
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"[^\"]*\")+");
    private static final List<String> COMMANDS =
            List.of("read", "scan", "insert", "update", "delete", "table", "help", "quit");
    private static final String HELP = """
            read KEY [FIELD ...]             read a record
            scan KEY COUNT [FIELD ...]       read COUNT records in key order, from KEY on
            insert KEY FIELD=VALUE ...       insert a record
            update KEY FIELD=VALUE ...       change fields of a record
            delete KEY                       delete a record
            table [NAME]                     show or set the table
            help                             this text
            quit                             end
            Values with blanks: insert k1 field0="two words\"""";

    private final CommandContext world;
    private final DB database;
    private final boolean interactive;
    private String table;
    private int failed;

    Shell(CommandContext world, DB database, String table, boolean interactive) {
        this.world = world;
        this.database = database;
        this.table = table;
        this.interactive = interactive;
    }

    /** A command that is not as it should be. */
    private static final class Wrong extends Exception {
        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }
    }

    /** @return the number of commands that failed or were invalid */
    int talk() throws IOException {
        if (interactive) {
            world.say("type help for the commands, quit to end; table " + table);
        }
        BufferedReader lines = new BufferedReader(new InputStreamReader(world.in(), StandardCharsets.UTF_8));
        while (true) {
            if (interactive) {
                world.err().print("> ");
                world.err().flush();
            }
            String line = lines.readLine();
            List<String> words = line == null ? List.of("quit") : words(line);
            if (!words.isEmpty() && words.get(0).equals("quit")) {
                return failed;
            }
            if (!words.isEmpty()) {
                try {
                    run(words);
                } catch (Wrong e) {
                    failed++;
                    world.say("error: " + e.getMessage());
                }
            }
        }
    }

    private void run(List<String> words) throws Wrong {
        switch (words.get(0)) {
            case "read" -> read(words);
            case "scan" -> scan(words);
            case "insert" -> {
                Map<String, ByteIterator> values = values(words);
                timed(() -> database.insert(table, words.get(1), values));
            }
            case "update" -> {
                Map<String, ByteIterator> values = values(words);
                timed(() -> database.update(table, words.get(1), values));
            }
            case "delete" -> {
                require(words.size() == 2, "expected: delete KEY");
                timed(() -> database.delete(table, words.get(1)));
            }
            case "table" -> {
                require(words.size() <= 2, "expected: table [NAME]");
                table = words.size() == 2 ? words.get(1) : table;
                print("table " + table);
            }
            case "help" -> print(HELP);
            default ->
                throw new Wrong("unknown command \"" + words.get(0) + "\"" + NearestName.hint(words.get(0), COMMANDS)
                        + " (help lists them)");
        }
    }

    private void read(List<String> words) throws Wrong {
        require(words.size() >= 2, "expected: read KEY [FIELD ...]");
        Map<String, ByteIterator> result = new HashMap<>();
        timed(() -> database.read(table, words.get(1), fields(words, 2), result));
        print(result);
    }

    private void scan(List<String> words) throws Wrong {
        require(words.size() >= 3 && words.get(2).matches("[1-9]\\d{0,8}"), "expected: scan KEY COUNT [FIELD ...]");
        Vector<HashMap<String, ByteIterator>> result = new Vector<>();
        int count = Integer.parseInt(words.get(2));
        timed(() -> database.scan(table, words.get(1), count, fields(words, 3), result));
        for (int i = 0; i < result.size(); i++) {
            print("record " + i);
            print(result.get(i));
        }
        print(Counted.of(result.size(), "record"));
    }

    private static Set<String> fields(List<String> words, int from) {
        return words.size() > from ? new HashSet<>(words.subList(from, words.size())) : null;
    }

    private static Map<String, ByteIterator> values(List<String> words) throws Wrong {
        String expected = "expected: " + words.get(0) + " KEY FIELD=VALUE ...";
        require(words.size() >= 3, expected);
        Map<String, ByteIterator> values = new HashMap<>();
        for (String word : words.subList(2, words.size())) {
            int equals = word.indexOf('=');
            require(equals > 0, expected + ", not \"" + word + "\"");
            String value = word.substring(equals + 1);
            // YCSB's values are bytes, one for each character.
            require(
                    value.chars().allMatch(c -> c <= 0xFF),
                    "\"" + value + "\" cannot be sent: values are of characters up to U+00FF, one byte each");
            values.put(word.substring(0, equals), new StringByteIterator(value));
        }
        return values;
    }

    /** One call of the database. */
    private void timed(Supplier<Status> call) {
        long start = System.nanoTime();
        Status status = call.get();
        double millis = (System.nanoTime() - start) / 1e6;
        if (status == null || !status.isOk()) {
            failed++;
        }
        print(Formatted.of("%s (%.2f ms)", status == null ? "no status" : status.getName(), millis));
    }

    private void print(Map<String, ByteIterator> record) {
        new TreeMap<>(record)
                .forEach((field, value) ->
                        print("  " + field + "=" + new String(value.toArray(), StandardCharsets.ISO_8859_1)));
    }

    private void print(String line) {
        world.out().println(line);
        world.out().flush();
    }

    private static void require(boolean good, String otherwise) throws Wrong {
        if (!good) {
            throw new Wrong(otherwise);
        }
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group().replace("\"", ""));
        }
        return words;
    }
}
