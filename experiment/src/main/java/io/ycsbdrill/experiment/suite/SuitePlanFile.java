package io.ycsbdrill.experiment.suite;

import io.ycsbdrill.report.suite.SuiteData;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Makes the content of {@code suite-plan.json}. */
public final class SuitePlanFile {
    private SuitePlanFile() {}

    /**
     * Describes a suite that begins now.
     *
     * @param tool name and version, for readers
     * @param machine on which it is run, for readers
     */
    public static SuiteData of(SuiteFile file, Map<String, String> properties, String tool, String machine) {
        Suite suite = file.suite();
        return new SuiteData(
                SuiteData.SCHEMA,
                suite.name(),
                suite.title(),
                suite.source(),
                suite.url(),
                suite.engine(),
                suite.scale(),
                machine,
                tool,
                Optional.of(file.hash()),
                Instant.now().toString(),
                properties,
                suite.notes(),
                suite.experiments().entrySet().stream()
                        .map(each -> new SuiteData.Part(
                                each.getKey(), each.getValue().experiment().claims()))
                        .toList());
    }
}
