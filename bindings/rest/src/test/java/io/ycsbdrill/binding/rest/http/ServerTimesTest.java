package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.TextMeasurementsExporter;

class ServerTimesTest {
    @Test
    void aTimeThatTheServerGaveIsASeriesOfItsOwn() throws IOException {
        Measurements.setProperties(new Properties());
        ServerTimes times = new ServerTimes();

        times.add("READ", 0.4804);
        times.add("UPDATE", -1);

        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (TextMeasurementsExporter out = new TextMeasurementsExporter(text)) {
            Measurements.getMeasurements().exportMeasurements(out);
        }
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("[READ-SERVER], Operations, 1", "[READ-SERVER], MaxLatency(us), 480")
                .doesNotContain("UPDATE-SERVER");
    }
}
