package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/**
 * Secrets that can be told from everything else, one for each place where one is given, and the search for them in what was written, what
 * was printed, and the command lines of all processes of this machine while this is open.
 */
public final class MarkedSecrets implements AutoCloseable {
    private final Map<String, String> marks = new LinkedHashMap<>();
    private final Set<String> seen = new ConcurrentSkipListSet<>();
    private final Thread watch = new Thread(this::watch, "process-list");
    private volatile boolean over;

    /** Watches the process list from now on. */
    public MarkedSecrets() {
        watch.start();
    }

    /** The secret for this place. */
    public String of(String place) {
        synchronized (marks) {
            return marks.computeIfAbsent(
                    place, p -> "Zq7" + p.replaceAll("\\W", "") + Long.toHexString(System.nanoTime()));
        }
    }

    private void watch() {
        while (!over) {
            try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
                processes
                        .filter(process -> process.getFileName().toString().matches("\\d+"))
                        .forEach(this::look);
                Thread.sleep(20);
            } catch (IOException | UncheckedIOException e) {
                continue; // one has just ended
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void look(Path process) {
        try {
            String line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
            found(line).forEach(place -> seen.add(place + ": " + line.replace('\0', ' ')));
        } catch (IOException e) {
            return; // it has ended
        }
    }

    private List<String> found(String text) {
        synchronized (marks) {
            return marks.entrySet().stream()
                    .filter(mark -> text.contains(mark.getValue()))
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /** Of all places, in no process's arguments so far. */
    public void assertInNoProcessList() {
        assertInNoProcessListBut("\n");
    }

    /** The same but for processes whose arguments begin with these words: a command that the test itself has given, secrets and all. */
    public void assertInNoProcessListBut(String given) {
        assertThat(seen.stream().filter(line -> !line.contains(": " + given)))
                .as("process list")
                .isEmpty();
    }

    /** Of all places, not in this text. */
    public void assertNotIn(String what, String text) {
        for (String place : found(text)) {
            int at = text.indexOf(of(place));
            assertThat(text.substring(Math.max(0, at - 200), Math.min(text.length(), at + 100)))
                    .as("%s has the secret of %s", what, place)
                    .doesNotContain(of(place));
        }
    }

    /**
     * In no file below this folder but those that the test itself has written there, and the record of what is still to be healed, which
     * nobody else can read.
     */
    public void assertInNoFile(Path folder, Set<String> given) throws IOException {
        Set<String> found = new TreeSet<>();
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = new ArrayList<>(all.filter(Files::isRegularFile).toList());
        }
        for (Path file : files) {
            String name = folder.relativize(file).toString();
            if (file.endsWith("heal.json")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
            } else if (!given.contains(file.getFileName().toString())) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                found(content + name).forEach(place -> found.add(name + " has the secret of " + place));
            }
        }
        assertThat(found).isEmpty();
        assertThat(files).isNotEmpty();
    }

    @Override
    public void close() {
        over = true;
        try {
            watch.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
