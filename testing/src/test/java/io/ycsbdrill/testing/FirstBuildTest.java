package io.ycsbdrill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;

/** {@code bin/ycsb} builds what runs and no tests, so nothing may need the jars of another module's tests then. */
class FirstBuildTest {
    static List<Path> poms() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(".."), 3)) {
            List<Path> poms = files.filter(file -> file.getFileName().toString().equals("pom.xml"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList();
            assertThat(poms).hasSizeGreaterThan(10);
            return poms;
        }
    }

    @ParameterizedTest
    @MethodSource("poms")
    void testJarsAreNeededOnlyWhereTestsAreBuilt(Path pom) throws Exception {
        Document document =
                DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(pom.toFile());
        XPath path = XPathFactory.newDefaultInstance().newXPath();

        assertThat(path.evaluate("count(/project/dependencies/dependency[type='test-jar'])", document))
                .isEqualTo("0");
        assertThat(path.evaluate(
                        "count(//profile[dependencies/dependency/type='test-jar']"
                                + "[not(activation/property/name='!maven.test.skip')])",
                        document))
                .isEqualTo("0");
    }
}
