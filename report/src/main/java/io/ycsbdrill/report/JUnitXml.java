package io.ycsbdrill.report;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A drill's verdict in the format that CI servers read: one test case per limit, and one for the run itself. */
public final class JUnitXml {
    private JUnitXml() {}

    /**
     * Writes the file, replacing an older one.
     *
     * @throws IOException when it cannot be written
     */
    public static void write(Path file, DrillSummary summary) throws IOException {
        try {
            StringWriter text = new StringWriter();
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            suite(xml, summary);
            xml.writeEndDocument();
            xml.close();
            Outputs.write(file, text + "\n");
        } catch (XMLStreamException e) {
            throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static void suite(XMLStreamWriter xml, DrillSummary summary) throws XMLStreamException {
        Verdict verdict = summary.verdict();
        String name = summary.run().run().path("drill").path("name").asText("drill");
        long missed = verdict.checks().stream()
                .filter(check -> check.result() != Check.Result.PASS)
                .count();
        boolean unsound = !verdict.unsound().isEmpty();
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", clean(name));
        xml.writeAttribute("tests", String.valueOf(verdict.checks().size() + 1));
        xml.writeAttribute("failures", String.valueOf(missed));
        xml.writeAttribute("errors", unsound ? "1" : "0");
        xml.writeAttribute("skipped", "0");
        xml.writeAttribute(
                "time", String.format(Locale.ROOT, "%.3f", summary.run().durationSeconds()));
        xml.writeAttribute(
                "timestamp", summary.run().run().path("startedAt").asText("").replaceAll("\\..*|Z", ""));
        testCase(xml, name, "run is sound", unsound ? "error" : "", String.join("; ", verdict.unsound()));
        for (Check check : verdict.checks()) {
            boolean passed = check.result() == Check.Result.PASS;
            testCase(xml, name, check.key(), passed ? "" : "failure", check.sentence());
        }
        xml.writeEndElement();
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
