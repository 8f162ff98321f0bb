package io.ycsbdrill.client.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.Recording;
import io.ycsbdrill.client.run.Specs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is not merged, and that nothing is written or lost then. */
class MergeRefusalsTest extends MergedRuns {
    @ParameterizedTest
    @CsvSource({
        "/windowNanos,2000000000,windowNanos: ",
        "/binding,jdbc,has scripted",
        "/tool/version,9.9,tool.version: ",
        "/properties/recordcount,7,property recordcount: ",
        "/properties/table,other,property table: ",
        "/threads,9,threads: ",
        "/mode,load,mode: ",
        "/rate,x,rate: ",
        "/workload,other,workload: "
    })
    void unlikeRunsAreRefusedWithWhatDiffers(String pointer, String value, String expected) throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = all.write(root.resolve("two"), Specs.aRun(100), run -> {
            part(run, 2, 2);
            int slash = pointer.lastIndexOf('/');
            ObjectNode parent = (ObjectNode) run.at(pointer.substring(0, slash));
            if (value.matches("\\d+")) {
                parent.put(pointer.substring(slash + 1), Long.parseLong(value));
            } else {
                parent.put(pointer.substring(slash + 1), value);
            }
        });

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(MergeException.class)
                .hasMessageContaining(expected)
                .hasMessageContaining(one + " has ")
                .hasMessageContaining(two + " has ");
        assertThat(root.resolve("merged")).doesNotExist();
    }

    @Test
    void twoClientsThatInjectedFaultsAreRefused() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = client(2, 2, all);
        for (Path client : List.of(one, two)) {
            Recording.markers(client, "{\"at_ns\":1,\"kind\":\"fault-started\",\"label\":\"kill\"}");
        }

        assertThatThrownBy(() -> merge(one, two)).hasMessageContaining("more than one client injected faults");
    }

    @Test
    void theSameDirectoryTwiceIsRefused() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path copy = all.write(root.resolve("copy"), Specs.aRun(100), run -> {});

        assertThatThrownBy(() -> merge(one, one)).hasMessageContaining("are both client 1/2");
        assertThatThrownBy(() -> merge(copy, copy)).hasMessageContaining("are the same run");
    }

    /** A figure that was changed afterwards, or a file that was not copied in full. */
    @ParameterizedTest
    @CsvSource({
        "windows.csv,'(?m)^0,0,1,READ,\\d+','0,0,1,READ,9999999',in windows.csv",
        "windows.jsonl,'\"count\":(\\d+)','\"count\":1$1',but count is",
        "windows.jsonl,'\"outcome\":\"ok\"','\"outcome\":\"fine\"',is missing or unknown",
        "windows.jsonl,'\"histogram\":\"....','\"histogram\":\"AAAA',cannot be decoded",
        "totals.jsonl,'\"operation\"','\"op\"',is missing",
        "slices.csv,'(?m)^3,.*READ.*\\n','',slice 3 of READ is missing or duplicated",
        "slices.csv,'(?m)^(3,.*READ),\\d+','$1,-4',not a count",
        "slices.csv,'(?m)^(3,.*READ),\\d+','$1',6 fields instead of 7",
        "slices.csv,'(?s)^[^\\n]*','slice,operation',the header is: slice",
        "windows.jsonl,'(?s)^(\\{\"window\":)0(.*)$','$17$2',in windows.jsonl",
        "windows.jsonl,'(?s)^.*$','',in windows.jsonl"
    })
    void damageIsFoundBeforeAnythingIsWritten(String file, String pattern, String replacement, String expected)
            throws IOException {
        Recording all = Recording.random(5, 900, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = client(2, 2, all);
        Path damaged = two.resolve(file);
        String before = Files.readString(damaged);
        Files.writeString(damaged, before.replaceFirst(pattern, replacement));
        assertThat(Files.readString(damaged)).isNotEqualTo(before);

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(MergeException.class)
                .hasMessageContaining(two.toString())
                .hasMessageContaining(expected);
        assertThat(root.resolve("merged")).doesNotExist();
    }

    /** These are read after the windows and the summary were written. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client.csv|slice,start_s,stall_ms,gc_ms|7,0.7,60|3 fields instead of 4",
                "client.csv|slice,start_s,stall_ms,gc_ms|x,0.7,60,0|is no time or slice",
                "nodes.csv|at_s,node,process,cpu_s,memory_mb|1e999999999,n,p,1,1|is no time or slice",
                "threads.csv|thread,from_s,until_s|3,0.5,1.7,9|4 fields instead of 3",
                "owners.csv|slice,start_s,owner,ok,failed,unknown,max_service_us|0,0,n|3 fields instead of 7"
            })
    void aSeriesThatIsDamagedIsFoundBeforeAnythingIsWritten(String file, String header, String row, String expected)
            throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = client(2, 2, all);
        Files.writeString(two.resolve(file), header + "\n" + row + "\n");

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(MergeException.class)
                .hasMessageContaining(two.resolve(file).toString())
                .hasMessageContaining(expected);
        assertThat(root.resolve("merged")).doesNotExist();
    }

    @Test
    void aMergeNeverOverwritesARun() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = client(2, 2, all);
        Map<Path, String> before = contents(one);

        assertThatThrownBy(() -> RunMerge.merge(List.of(one, two), one, List.of(), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not empty");
        assertThat(contents(one)).isEqualTo(before);
    }

    private static Map<Path, String> contents(Path directory) throws IOException {
        Map<Path, String> contents = new java.util.TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                contents.put(file, Files.readString(file));
            }
        }
        return contents;
    }
}
