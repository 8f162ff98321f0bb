package io.ycsbdrill.experiment.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.ycsbdrill.experiment.spec.ExperimentFileException;
import io.ycsbdrill.experiment.spec.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema accepts what the parser accepts, apart from what experiments say, which is checked when all changes are made. */
class SuiteSchemaTest {
    private static final Path FOLDER = Path.of("../workloads/suites");
    private static final String WHOLE = """
            title: t
            source: {text: who, url: u}
            notes: [n]
            experiments: {one: {axes: {threads: [1]}, fixed: {binding: b}}}
            engines: {embedded: {}, ndb: {all: {repeats: 2}}}
            scale: {seed: {}, small: {one: {repeats: 3}}, small on ndb: {all: {repeats: 4}}}
            """;

    private static boolean schemaAccepts(String text) throws IOException {
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(new ObjectMapper()
                        .readTree(FOLDER.resolve("suite.schema.json").toFile()));
        return schema.validate(new YAMLMapper().readTree(text)).isEmpty();
    }

    private static boolean parserAccepts(String text) {
        try {
            SuiteFile.parse("s.yaml", text, new SuiteChoice(Optional.empty(), "small", Map.of()), Words.ALL);
            return true;
        } catch (ExperimentFileException e) {
            return false;
        }
    }

    @Test
    void bothAcceptAWholeOne() throws IOException {
        assertThat(parserAccepts(WHOLE)).isTrue();
        assertThat(schemaAccepts(WHOLE)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "title: t|titel: t",
                "{text: who, url: u}|who",
                "url: u|link: u",
                "notes: [n]|notes: n",
                "notes: [n]|notes: []",
                "{one: {axes|{a b: {axes",
                "{one: {axes|{all: {axes",
                "ndb: {all: {repeats: 2}}|ndb: 5",
                "engines: {embedded: {}, ndb: {all: {repeats: 2}}}|engines: {}",
                "small on ndb|small for ndb",
                "seed: {}, |''"
            })
    void bothRefuse(String from, String to) throws IOException {
        assertThat(WHOLE).contains(from);
        String text = WHOLE.replace(from, to);
        assertThat(parserAccepts(text)).as("parser: %s", text).isFalse();
        assertThat(schemaAccepts(text)).as("schema: %s", text).isFalse();
    }

    static List<Path> shipped() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void theSchemaAcceptsTheShippedOnes(Path file) throws IOException {
        assertThat(schemaAccepts(Files.readString(file))).isTrue();
    }
}
