package io.ycsbdrill.report.page;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Verdicts in the format that CI servers read; of a drill one test case per limit, and one for the run itself. */
public final class JUnitXml {
    private static final String SOUND = "run is sound";

    private JUnitXml() {}

    /**
     * One test case.
     *
     * @param name what is tested
     * @param result of it
     * @param message why; shown unless it passed
     */
    public record Case(String name, Result result, String message) {}

    /** How a test case ended. */
    public enum Result {
        PASSED(""),
        FAILURE("failure"),
        ERROR("error"),
        SKIPPED("skipped");

        private final String element;

        Result(String element) {
            this.element = element;
        }
    }

    private interface Content {
        void write(XMLStreamWriter xml) throws XMLStreamException;
    }

    /**
     * Writes the file, replacing an older one.
     *
     * @throws IOException when it cannot be written
     */
    public static void write(Path file, DrillSummary summary) throws IOException {
        write(file, xml -> suite(xml, summary));
    }

    /**
     * Writes the file for a drill that has no result, replacing an older one.
     *
     * @param drill its name
     * @param message what went wrong
     * @throws IOException when it cannot be written
     */
    public static void writeError(Path file, String drill, String message) throws IOException {
        write(file, xml -> {
            begin(xml, drill, 1, 0, 1, 0);
            time(xml, 0, "");
            testCase(xml, "drill", drill, SOUND, "error", message);
            xml.writeEndElement();
        });
    }

    /**
     * Writes the file for test cases of any kind, replacing an older one.
     *
     * @param kind of the suite, the first part of its tests' class name
     * @param suite its name
     * @throws IOException when it cannot be written
     */
    public static void write(Path file, String kind, String suite, List<Case> cases) throws IOException {
        write(file, xml -> {
            begin(
                    xml,
                    suite,
                    cases.size(),
                    count(cases, Result.FAILURE),
                    count(cases, Result.ERROR),
                    count(cases, Result.SKIPPED));
            Set<String> names = new HashSet<>();
            for (Case one : cases) {
                testCase(xml, kind, suite, unique(names, one.name), one.result.element, one.message);
            }
            xml.writeEndElement();
        });
    }

    private static long count(List<Case> cases, Result result) {
        return cases.stream().filter(one -> one.result == result).count();
    }

    private static void write(Path file, Content content) throws IOException {
        try {
            StringWriter text = new StringWriter();
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            content.write(xml);
            xml.writeEndDocument();
            xml.close();
            AtomicFile.write(file, text + "\n");
        } catch (XMLStreamException e) {
            throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static void suite(XMLStreamWriter xml, DrillSummary summary) throws XMLStreamException {
        Verdict verdict = summary.verdict();
        String name = summary.run().run().path("drill").path("name").asText("drill");
        long missed = verdict.checks().stream().filter(Check::missed).count();
        long skipped = verdict.checks().stream().filter(JUnitXml::skipped).count();
        boolean unsound = !verdict.unsound().isEmpty();
        boolean idle = verdict.outcome() == Verdict.Outcome.NOT_JUDGED;
        long undecided = verdict.checks().stream().filter(Check::undecided).count();
        long errors = undecided + (unsound || idle ? 1 : 0);
        begin(xml, name, verdict.checks().size() + (idle ? 2 : 1), missed, errors, skipped);
        time(
                xml,
                summary.run().durationSeconds(),
                summary.run().run().path("startedAt").asText(""));
        testCase(xml, "drill", name, SOUND, unsound ? "error" : "", String.join("; ", verdict.unsound()));
        if (idle) {
            testCase(xml, "drill", name, "something was judged", "error", verdict.line());
        }
        Set<String> names = new HashSet<>();
        for (Check check : verdict.checks()) {
            String element = check.missed() ? "failure" : check.undecided() ? "error" : skipped(check) ? "skipped" : "";
            testCase(xml, "drill", name, unique(names, check.key()), element, check.sentence());
        }
        List<String> cautions = summary.cautions();
        if (!cautions.isEmpty()) {
            xml.writeStartElement("system-out");
            xml.writeCharacters(clean("Caution: " + String.join("\nCaution: ", cautions)));
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    /** Servers show tests of one name as one: what is judged twice is numbered, in the order of the file. */
    private static String unique(Set<String> names, String name) {
        String own = name;
        for (int number = 2; !names.add(own); number++) {
            own = name + " " + number;
        }
        return own;
    }

    private static boolean skipped(Check check) {
        return check.result() == Check.Result.NOT_APPLICABLE;
    }

    private static void begin(XMLStreamWriter xml, String name, int tests, long failures, long errors, long skipped)
            throws XMLStreamException {
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", clean(name));
        xml.writeAttribute("tests", String.valueOf(tests));
        xml.writeAttribute("failures", String.valueOf(failures));
        xml.writeAttribute("errors", String.valueOf(errors));
        xml.writeAttribute("skipped", String.valueOf(skipped));
    }

    private static void time(XMLStreamWriter xml, double seconds, String startedAt) throws XMLStreamException {
        xml.writeAttribute("time", Formatted.of("%.3f", seconds));
        xml.writeAttribute("timestamp", startedAt.replaceAll("\\..*|Z", ""));
    }

    private static void testCase(
            XMLStreamWriter xml, String kind, String suite, String name, String element, String message)
            throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", kind + "." + clean(suite));
        xml.writeAttribute("name", clean(name));
        if (!element.isEmpty()) {
            xml.writeEmptyElement(element);
            xml.writeAttribute("message", clean(message));
        }
        xml.writeEndElement();
    }

    /** Control characters have no place in XML 1.0, not even escaped. */
    private static String clean(String text) {
        return PlainText.of(text).replaceAll("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD]", "\uFFFD");
    }
}
