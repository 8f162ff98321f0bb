package io.ycsbdrill.binding.rest.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.binding.rest.http.Request;
import io.ycsbdrill.binding.rest.http.Requests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DBException;

class TemplateFileTest {
    @TempDir
    Path directory;

    private GenericDialect read(String... lines) throws IOException {
        return TemplateFile.read(Files.write(directory.resolve("t.txt"), List.of(lines)), List.of("field0", "field1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "read.request = FETCH | read.request = FETCH: expected a method and a path",
                "probe = HEAD /health | probe = HEAD /health: expected a method other than HEAD",
                "raed.request = GET /x | raed.request is not a key of this file; did you mean \"read.request\"?",
                "read.request = GET /{kee} | read.request {kee} is not supported here; expected [{table}, {key}, {count}, {names}]",
                "read.request = GET /{values} | {values} is not supported here",
                "status.404 = not-fuond | status.404 = not-fuond: expected one of bad-request",
                "status.999 = failed | status.999 is not a key of this file",
                "charset = ascii | charset = ascii: expected utf-8 or latin-1",
                "encoding = hex | encoding = hex: expected base64",
                "nonsense | \"nonsense\" is not KEY = VALUE",
                "delete.request = GET /y | delete.request is already set"
            })
    void aWrongLineIsNamedWithItsKeyAndWhatWasExpected(String line, String complaint) {
        assertThatThrownBy(() -> read("# comment", "", "delete.request = DELETE /{table}/{key}", line))
                .hasMessageContaining("t.txt, line 4: ")
                .hasMessageContaining(complaint);
    }

    @Test
    void everyProblemIsToldAtOnce() {
        assertThatThrownBy(() -> read("x = 1", "update.body = {}", "y = 2"))
                .hasMessageContaining("line 1: x is not")
                .hasMessageContaining("line 3: y is not")
                .hasMessageContaining("update.request is missing");
    }

    @Test
    void filesWithTheSameContentMakeEqualDialects() throws IOException {
        String[] lines = {
            "read.request = GET /{key}?f={names}", "read.body = {\"q\": {names}}", "status.404 = not-found"
        };

        assertThat(read(lines)).isEqualTo(read(lines));
    }

    @Test
    void aHeaderIsGivenOnceHoweverItIsWritten() throws IOException {
        assertThatThrownBy(() -> read("read.request = GET /{key}", "header.X-Store = a", "header.x-store = b"))
                .hasMessageContaining("t.txt, line 3: header.x-store is already set");

        GenericDialect dialect = read("read.request = GET /{key}", "header.CONTENT-TYPE = text/json");
        assertThat(dialect.type()).isEqualTo("text/json");
        assertThat(dialect.headers()).isEmpty();
        assertThat(read("read.request = GET /{key}").type()).isEqualTo("application/json");
    }

    @Test
    void holesAreEncodedAsTheirPlaceDemands() throws IOException {
        GenericDialect dialect = read(
                "scan.request = POST /a/{table}?from={key}&n={count}&f={names}", "scan.body = [{key},{names},{count}]");
        Request request = new Request().begin("POST", false);
        Template.Filling filling = Template.Filling.reading("t", "a b/ü\"", 3, null, dialect.fields());
        GenericDialect.Operation scan = dialect.operations().get("scan");

        scan.path().fillPath(request, filling);
        scan.body().orElseThrow().fillBody(request, dialect.type(), filling, dialect.rows(), false);

        assertThat(Requests.text(request))
                .startsWith("POST /a/t?from=a%20b%2F%C3%BC%22&n=3&f=field0,field1 HTTP/1.1\r\n")
                .endsWith("\r\n\r\n[\"a b/ü\\\"\",[\"field0\",\"field1\"],3]");
    }

    @Test
    void aMistakeInTheFileIsAProblemOfTheProperty() throws IOException {
        Path file = Files.writeString(directory.resolve("wrong.txt"), "reed.request = GET /\n");
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "rest.dialect", "generic", "rest.endpoints", "http://h:1", "rest.generic.file", file.toString()));

        RestBinding db = new RestBinding();
        db.setProperties(properties);

        assertThatThrownBy(db::checkProperties)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("wrong.txt, line 1: reed.request is not a key")
                .hasMessageContaining("did you mean \"read.request\"?");
    }
}
