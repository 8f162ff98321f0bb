package io.ycsbdrill.report.page;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.report.metric.Check;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A drill's verdict in the format that CI servers read: one test case per limit, and one for the run itself. */
public final class JUnitXml {
    private static final String SOUND = "run is sound";

    private JUnitXml() {}

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
            begin(xml, drill, 0, 0, 0, true, 0, "");
            testCase(xml, drill, SOUND, "error", message);
            xml.writeEndElement();
        });
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
        begin(
                xml,
                name,
                verdict.checks().size(),
                missed,
                skipped,
                unsound,
                summary.run().durationSeconds(),
                summary.run().run().path("startedAt").asText(""));
        testCase(xml, name, SOUND, unsound ? "error" : "", String.join("; ", verdict.unsound()));
        for (Check check : verdict.checks()) {
            String element = check.missed() ? "failure" : skipped(check) ? "skipped" : "";
            testCase(xml, name, check.key(), element, check.sentence());
        }
        xml.writeEndElement();
    }

    private static boolean skipped(Check check) {
        return check.result() == Check.Result.NOT_APPLICABLE;
    }

    private static void begin(
            XMLStreamWriter xml,
            String name,
            int checks,
            long missed,
            long skipped,
            boolean unsound,
            double seconds,
            String startedAt)
            throws XMLStreamException {
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", clean(name));
        xml.writeAttribute("tests", String.valueOf(checks + 1));
        xml.writeAttribute("failures", String.valueOf(missed));
        xml.writeAttribute("errors", unsound ? "1" : "0");
        xml.writeAttribute("skipped", String.valueOf(skipped));
        xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", seconds));
        xml.writeAttribute("timestamp", startedAt.replaceAll("\\..*|Z", ""));
    }

    private static void testCase(XMLStreamWriter xml, String suite, String name, String element, String message)
            throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "drill." + clean(suite));
        xml.writeAttribute("name", clean(name));
        if (!element.isEmpty()) {
            xml.writeEmptyElement(element);
            xml.writeAttribute("message", clean(message));
        }
        xml.writeEndElement();
    }

    /** Control characters have no place in XML 1.0, not even escaped. */
    private static String clean(String text) {
        return text.replaceAll("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD]", "\uFFFD");
    }
}
