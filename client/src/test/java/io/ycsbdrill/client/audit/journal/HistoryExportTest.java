package io.ycsbdrill.client.audit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.binding.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryExportTest {
    private static final List<String> FIELDS = List.of("field0", "field1");

    @TempDir
    private Path directory;

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(directory.resolve(file));
    }

    private JournalWriter journal(int writer) {
        return new JournalWriter(directory.resolve(writer + ".j"), writer, 42, FIELDS);
    }

    private int export(int... writers) {
        List<Path> journals = new ArrayList<>();
        for (int writer : writers) {
            journals.add(directory.resolve(writer + ".j"));
        }
        return new HistoryExport(journals, FIELDS).write(directory);
    }

    @Test
    void anOperationIsATransactionOfTheRegistersOfItsRow() throws IOException {
        JournalWriter journal = journal(0);
        journal.begin("user1", Write.Kind.INSERT, FIELDS);
        journal.end(Outcome.OK);
        journal.begin("user1", Write.Kind.UPDATE, List.of("field1"));
        journal.end(Outcome.FAILED);
        journal.read("user1", System.nanoTime(), "field1", 0);
        journal.close();

        assertThat(export(0)).isEqualTo(3);

        List<String> edn = lines(HistoryExport.EDN).stream()
                .map(line -> line.replaceFirst(":time \\d+, ", ""))
                .toList();
        assertThat(edn)
                .containsExactly(
                        "{:index 0, :type :invoke, :process 0, :f :txn, :value [[:w \"user1/field0\" 0] [:w"
                                + " \"user1/field1\" 0]]}",
                        "{:index 1, :type :ok, :process 0, :f :txn, :value [[:w \"user1/field0\" 0] [:w"
                                + " \"user1/field1\" 0]]}",
                        "{:index 2, :type :invoke, :process 0, :f :txn, :value [[:w \"user1/field1\" 1]]}",
                        "{:index 3, :type :fail, :process 0, :f :txn, :value [[:w \"user1/field1\" 1]]}",
                        "{:index 4, :type :invoke, :process 0, :f :txn, :value [[:r \"user1/field1\" nil]]}",
                        "{:index 5, :type :ok, :process 0, :f :txn, :value [[:r \"user1/field1\" 0]]}");
    }

    /** The directory may be that of another user, and the export be made by root. */
    @Test
    void aLinkThatIsThereIsNotFollowed() throws IOException {
        Path other = Files.writeString(directory.resolve("other"), "mine");
        Files.createSymbolicLink(directory.resolve(HistoryExport.EDN), other);
        JournalWriter journal = journal(0);
        journal.begin("user1", Write.Kind.UPDATE, List.of("field1"));
        journal.end(Outcome.OK);
        journal.close();

        export(0);

        assertThat(other).hasContent("mine");
        assertThat(lines(HistoryExport.EDN)).hasSize(2);
    }

    @Test
    void theLinesSayTheSame() throws IOException {
        JournalWriter journal = journal(3);
        journal.begin("a\"b", Write.Kind.UPDATE, List.of("field1"));
        journal.end(Outcome.OK);
        journal.close();

        export(3);

        JsonNode ended = new ObjectMapper().readTree(lines(HistoryExport.LINES).get(1));
        assertThat(ended.path("type").asText()).isEqualTo("ok");
        assertThat(ended.path("value")).hasToString("[[\"w\",\"a\\\"b/field1\"," + WriteId.of(3, 0) + "]]");
    }

    /** As Jepsen does: a client whose operation may still take effect does nothing more. */
    @Test
    void afterAnUnknownEndTheThreadIsAnotherProcess() throws IOException {
        JournalWriter journal = journal(0);
        journal.begin("user1", Write.Kind.UPDATE, List.of("field1"));
        journal.end(Outcome.UNKNOWN);
        journal.begin("user1", Write.Kind.UPDATE, List.of("field1"));
        journal.end(Outcome.OK);
        journal.close();

        export(0);

        assertThat(lines(HistoryExport.EDN))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains(":type :invoke, :process 0"),
                        line -> assertThat(line).contains(":type :info, :process 0"),
                        line -> assertThat(line).contains(":type :invoke, :process 1"),
                        line -> assertThat(line).contains(":type :ok, :process 1"));
    }

    @Test
    void whatHasNotEndedIsUnknown() throws IOException {
        JournalWriter journal = journal(0);
        journal.begin("user1", Write.Kind.DELETE, List.of());
        journal.close();

        export(0);

        assertThat(lines(HistoryExport.EDN).get(1))
                .contains(":type :info")
                .contains("[:w \"user1/field0\" nil] [:w \"user1/field1\" nil]");
    }
}
