package io.ycsbdrill.client.run.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.Charset;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/**
 * What YCSB's two JSON exporters write, an object for each figure, in an array or one after the other. YCSB's own classes need
 * Jackson 1.9, which is not mended any more (CVE-2019-10172, CVE-2019-10202) and is therefore left out of the class path.
 *
 * <p>Not thread-safe.
 */
final class JsonExporter implements MeasurementsExporter {
    static final String OBJECTS = "site.ycsb.measurements.exporter.JSONMeasurementsExporter";
    static final String ARRAY = "site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter";

    private final boolean array;
    private final JsonGenerator json;

    JsonExporter(OutputStream out, boolean array) throws IOException {
        this.array = array;
        json = new JsonFactory().createGenerator(new OutputStreamWriter(out, Charset.defaultCharset()));
        json.setPrettyPrinter(new DefaultPrettyPrinter());
        if (array) {
            json.writeStartArray();
        }
    }

    @Override
    public void write(String metric, String measurement, int value) throws IOException {
        write(metric, measurement, (long) value);
    }

    @Override
    public void write(String metric, String measurement, long value) throws IOException {
        begin(metric, measurement);
        json.writeNumberField("value", value);
        json.writeEndObject();
    }

    @Override
    public void write(String metric, String measurement, double value) throws IOException {
        begin(metric, measurement);
        json.writeNumberField("value", value);
        json.writeEndObject();
    }

    private void begin(String metric, String measurement) throws IOException {
        json.writeStartObject();
        json.writeStringField("metric", metric);
        json.writeStringField("measurement", measurement);
    }

    @Override
    public void close() throws IOException {
        if (array) {
            json.writeEndArray();
        }
        json.close();
    }
}
