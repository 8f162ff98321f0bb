package io.ycsbdrill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.report.data.AuditData;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What shell scripts, and those in texts of the main classes, remove with all that is in it, and whom they signal: each such line is
 * listed here, with the reason why it can hit nothing that is not ours.
 */
class ScriptsTest {
    private static final Path ROOT = Path.of("..");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Pattern HARMFUL = Pattern.compile("\\brm\\s+(-\\S+\\s+)*(-[a-zA-Z]*[rR]|--recursive)"
            + "|\\s-delete\\b|-exec\\s+rm\\b|\\brmdir\\s+-p|\\bfuser\\s+-k|\\bskill\\b"
            + "|(^|[\\s;&|({!'\"`])(kill\\s+[-\"'$%0-9]|(pkill|killall)\\s)");

    private static final Pattern COMMENT = Pattern.compile("^\\s*(#|//|\\*(?!\\))|/\\*).*");

    /** File, what the line has, and why it is safe. */
    private static final List<String[]> ALLOWED =
            Stream.of("""
                    bin/install-archive.sh | trap 'rm -rf "$work"' | made by mktemp just before
                    bin/install-galera | trap 'rm -rf "$work"' | made by mktemp just before
                    bin/install-ndb | trap 'rm -rf "$work"' | made by mktemp just before
                    bin/install-ndb | rm -rf "$work/tree" | a name of its own in the folder that it works in
                    bin/install-ndb | rm -rf "$out" | a name of its own in the folder that it works in
                    bin/install-ndb | rm -r $work" | is only said
                    bin/install-patroni | trap 'rm -rf "$work"' | made by mktemp just before
                    bin/install-patroni | rm -rf "$modules" | a name of its own in the folder that it works in
                    deploy/kubernetes/base/client.sh | kill -TERM $pid | its own child, not yet waited for
                    deploy/kubernetes/base/client.sh | kill -0 $pid | sends nothing
                    deploy/kubernetes/base/client.sh | rm -rf "$meeting" | a name of its own of this run
                    examples/schedule/scheduled-drill | -exec rm -rf -- {} + | only by the form of the name that it gives, and by age
                    soak/drills.sh | rm -rf "$state" | made by mktemp just before
                    soak/fresh-container.sh | rm -rf --one-file-system "$work" | made by mktemp just before
                    soak/functions.sh | [ -z "$tool" ] || kill -9 "$tool" | its own child, not yet waited for
                    soak/functions.sh | while read -r pid; do kill -9 "$pid" | named by a directory that mktemp has made
                    soak/functions.sh | rm -rf "$state" "$work" | made by mktemp just before
                    soak/kill9.sh | rm -rf "$run" | a name of its own in the cell's results
                    soak/kill9.sh | kill -0 "$tool" | sends nothing
                    soak/kill9.sh | kill -9 "${inner:-$tool}" | its own child, not yet waited for, or a child of that
                    soak/kill9.sh | rm -rf "$cell" | a name of its own in the results
                    soak/kubernetes.sh | kill -9 "$inner" | its own child, not yet waited for
                    soak/kubernetes.sh | rm -rf --one-file-system "$state" | made by mktemp just before
                    soak/kubernetes/images.sh | rm -rf "$work"' EXIT | made by mktemp just before
                    soak/kubernetes/images.sh | rm -rf /var/lib/apt/lists/* | in the image that it makes
                    soak/kubernetes/images.sh | rm -rf /opt/libraries | in the image that it makes
                    soak/kubernetes/inside.sh | rm -rf "$results/outside/run" | a name of its own in the results
                    soak/kubernetes/node.sh | ctr -n k8s.io tasks kill --all | of a containerd of its own, in a process namespace of its own
                    soak/kubernetes/node.sh | kill "$pid" | its own child, not yet waited for, in a process namespace of its own
                    soak/matrix.sh | rm -rf "$run" | a name of its own in the cell's results
                    soak/matrix.sh | ! kill -0 "$tool" | sends nothing
                    soak/matrix.sh | kill -9 "$tool" | its own child, not yet waited for
                    soak/matrix.sh | rm -rf "${cell:?}/$i" | a run that this script began and did not complete
                    soak/matrix.sh | echo "  kill -9 of the tool | is only said
                    soak/matrix.sh | after the tool was ended with | is only said
                    soak/pages.sh | rm -rf --one-file-system "$work" | made by mktemp just before
                    soak/verdicts.sh | rm -rf "$state" | made by mktemp just before
                    soak/walk-three-hosts.sh | trap 'kill -9 $inside | its own child, not yet waited for
                    client/group/place.sh | rm -r -f -- "$1" | remove, the only door: names that we give, in our own directory
                    inventory/container.sh | "$engine" kill --signal=KILL "$id" | of_container, the only door: a process of the node's program was seen in it
                    inventory/node.sh | kill "-$1" "$2" | send, the only door: behind pid file, age, program and data directory
                    inventory/node.sh | ! kill -0 "$started" | sends nothing
                    inventory/node.sh | kill -0 "$worker" | sends nothing
                    inventory/container.sh | as_root kill -STOP $held | processes of the container's own control group, and of no other
                    inventory/container.sh | as_root kill -CONT $held | the same ones
                    inventory/node.sh | find "./$removed" -xdev -delete | the folder in it into which wipe has put that mark
                    os/OsProcess.java | kill -"$3" "$4" | the door: behind the start of the process
                    os/Starver.java | kill -STOP "$1" | behind the start of the process, each time
                    os/Starver.java | kill -CONT "$1" | behind the start of the process, each time
                    os/Starver.java | kill $! | its own child, not yet waited for
                    os/Watchdog.java | kill -9 "-$pid" | behind start and program of the process
                    base/OwnerMarker.java | remove it by hand: rm -r | is only said
                    """.split("\n")).map(line -> line.split(" +\\| +", 3)).toList();

    @Test
    void everyLineThatRemovesFoldersOrSignalsIsListedWithItsReason() throws IOException {
        List<String> unknown = new ArrayList<>();
        Set<String> unused = new TreeSet<>();
        for (Path file : files()) {
            String name = file.toString();
            List<String[]> listed = ALLOWED.stream()
                    .filter(entry -> name.endsWith("/" + entry[0]))
                    .toList();
            listed.forEach(entry -> unused.add(entry[0] + ": " + entry[1]));
            for (String line :
                    Files.readString(file, StandardCharsets.UTF_8).lines().toList()) {
                if (COMMENT.matcher(line).matches() || !HARMFUL.matcher(line).find()) {
                    continue;
                }
                List<String[]> reasons =
                        listed.stream().filter(entry -> line.contains(entry[1])).toList();
                reasons.forEach(entry -> unused.remove(entry[0] + ": " + entry[1]));
                if (reasons.isEmpty()) {
                    unknown.add(name + ": " + line.strip());
                }
            }
        }

        assertThat(unknown).isEmpty();
        assertThat(unused).as("listed, and not there").isEmpty();
        assertThat(ALLOWED).allMatch(entry -> entry.length == 3 && entry[2].length() > 10);
    }

    /** Whatever is in these folders: what is shipped, and what works for hours without anybody looking. */
    private static List<Path> files() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String folder : List.of("bin", "deploy", "examples", "soak")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> !file.toString().contains("/target/")
                                && !file.toString().contains("/src/"))
                        .filter(Files::isRegularFile)
                        .filter(file -> !file.toString().matches(".*\\.(jar|class|md|svg|png)"))
                        .forEach(all::add);
            }
        }
        for (String module : List.of(
                "base",
                "bindings",
                "client",
                "distribution",
                "experiment",
                "faultinject",
                "report",
                "rundir",
                "testing",
                "workloads")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
                files.filter(file -> file.toString().matches(".*/src/main/.*(\\.java|\\.sh)"))
                        .forEach(all::add);
            }
        }
        assertThat(all).hasSizeGreaterThan(500);
        return all;
    }

    @Test
    void theFormsOfRemovingAndSignallingAreKnown() {
        assertThat(Stream.of(
                        "rm -rf \"$x\"",
                        "rm -f -r x",
                        "rm --recursive x",
                        "find . -type f -delete",
                        "find . -exec rm {} +",
                        "pkill -f ycsb",
                        "killall java",
                        "kill $pid",
                        "kill -9 1",
                        "\"kill -STOP 1\""))
                .allMatch(line -> HARMFUL.matcher(line).find());
        assertThat(Stream.of("rm -f file", "cluster kill", "faults.put(\"kill\", s ->", "kill: [a]", "pk-delete"))
                .noneMatch(line -> HARMFUL.matcher(line).find());
    }

    /** A drill that had lost exactly one write was a drill without an audit. */
    @ParameterizedTest
    @ValueSource(strings = {"soak/matrix.sh", "soak/verdicts.sh"})
    void whatAnAuditHasFoundIsReadAlsoWhereItIsOneOfEach(String script) throws Exception {
        Matcher reader =
                Pattern.compile("found=\\$\\(sed -n '([^']*)'").matcher(Files.readString(ROOT.resolve(script)));
        assertThat(reader.find()).isTrue();
        for (int count : new int[] {0, 1, 1234}) {
            AuditData audit = new AuditData(
                    JSON.readTree("{\"ackedLost\":%1$d,\"phantoms\":%1$d,\"staleReads\":%1$d}".formatted(count)));
            Process sed = new ProcessBuilder("sed", "-n", reader.group(1)).start();
            try (Writer in = sed.outputWriter()) {
                in.write("error: audit: " + audit.lines().get(0) + "\n");
            }

            assertThat(sed.inputReader().readLine().replace(",", "")).isEqualTo("%1$d %1$d %1$d".formatted(count));
        }
    }
}
