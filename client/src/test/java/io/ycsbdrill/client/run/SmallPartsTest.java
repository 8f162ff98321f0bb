package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.run.call.Reasons;
import io.ycsbdrill.client.run.file.Format;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.file.StockResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DBException;

class SmallPartsTest {

    @ParameterizedTest
    @CsvSource({"1, 1st", "2, 2nd", "3, 3rd", "11, 11th", "95, 95th", "99, 99th", "99.9, 99.9", "101, 101st"})
    void percentilesAreNamedAsStockNamesThem(double percentile, String name) {
        assertThat(StockResult.ordinal(percentile)).isEqualTo(name);
    }

    @Test
    void numbersAreExactInEveryLocale() {
        assertThat(Format.seconds(100_000_000)).isEqualTo("0.1");
        assertThat(Format.seconds(10_000_000_000L)).isEqualTo("10");
        assertThat(Format.micros(1_234_567L)).isEqualTo("1234.567");
        assertThat(Format.perSecond(1, 3_000_000_000L)).isEqualTo("0.333");
    }

    /** The directory may be another user's. */
    @Test
    void noFileOfARunIsWrittenThroughALink(@TempDir Path folder) throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "theirs");
        RunDirectory run = RunDirectory.create(folder.resolve("r"));
        for (String name : List.of("slices.csv", "run.json")) {
            Files.createSymbolicLink(folder.resolve("r").resolve(name), victim);
        }

        assertThatThrownBy(() -> run.stream("slices.csv")).isInstanceOf(FileAlreadyExistsException.class);
        run.write("run.json", "ours");

        assertThat(victim).hasContent("theirs");
        assertThat(folder.resolve("r/run.json")).hasContent("ours").isRegularFile();
    }

    @Test
    void whatServersHaveSaidIsWrittenWithoutSecrets(@TempDir Path folder) throws IOException {
        Secrets.know("Known-to-SmallPartsTest");
        String said = "denied: Known-to-SmallPartsTest, IDENTIFIED BY 'hunter2'";
        ObjectNode json = RunDirectory.JSON.createObjectNode().put("state", "complete");
        json.putArray("reasons").add(said);
        json.putObject("replicas").putArray("problems").add(said);
        json.putArray("findings").addObject().put("text", said);

        RunDirectory.create(folder).write("run.json", json);

        assertThat(folder.resolve("run.json"))
                .content()
                .contains("denied: ***, IDENTIFIED BY ***")
                .doesNotContain("Known-to", "hunter2");
    }

    @Test
    void reasonsHaveNoPasswordsOfAddresses() {
        String url = "jdbc:mysql://me:hunter2@h:3306/ycsb?user=me&password=hunter2&x=1";

        assertThat(Reasons.of(new DBException("cannot connect to " + url, new IllegalStateException(url))))
                .contains("cannot connect to jdbc:mysql://me:***@h:3306/ycsb", "x=1")
                .doesNotContain("hunter2");
        assertThat(Reasons.of(new IllegalStateException(url)))
                .contains("IllegalState")
                .doesNotContain("hunter2");
    }

    @Test
    void foreseenFailuresAreSaidWithoutTheirPlaceInTheProgram() {
        IOException full = new IOException("No space left on device");

        assertThat(Reasons.of(new UncheckedIOException("the journal cannot grow: " + full.getMessage(), full)))
                .isEqualTo("the journal cannot grow: No space left on device");
        assertThat(Reasons.of(new UncheckedIOException(full))).contains("UncheckedIOException", "SmallPartsTest");
    }

    @Test
    void buildKnowsItsVersion() {
        assertThat(BuildInfo.current().version()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(BuildInfo.current().commit()).matches("[0-9a-f]{7,}|unknown");
    }
}
