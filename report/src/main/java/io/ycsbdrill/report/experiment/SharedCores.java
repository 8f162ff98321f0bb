package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether variants that differ by the cores of their servers can be compared: not where one has all cores of the machine, of which its
 * clients then take a share. Sources had their clients on other machines. Stateless.
 */
final class SharedCores {
    /** The axis by which clusters of this machine get their cores. */
    private static final String AXIS = "cores";

    private SharedCores() {}

    /** Why the two are not compared; empty when they have the same cores, or leave some to the clients. */
    static Optional<String> of(ExperimentData data, PlanData.Variant one, PlanData.Variant other) {
        int most = Math.max(cores(one), cores(other));
        if (cores(one) == cores(other)) {
            return Optional.empty();
        }
        int cpus = cpus(data);
        if (cpus == 0) {
            return Optional.of("cores of the machine not known");
        }
        return cpus > most
                ? Optional.empty()
                : Optional.of("with " + AXIS + "=" + most + " the servers have all " + cpus
                        + " cores of the machine, and share them with the clients");
    }

    private static int cores(PlanData.Variant variant) {
        String level = variant.levels().getOrDefault(AXIS, "");
        return level.matches("\\d{1,4}") ? Integer.parseInt(level) : 0;
    }

    /** Those of the machine of the clients, as one of the runs says; 0 when none does. */
    private static int cpus(ExperimentData data) {
        for (CellRow row : data.rows()) {
            Path run = data.directory()
                    .resolve("cells")
                    .resolve(row.cell().id())
                    .resolve("run")
                    .resolve(RunFile.RUN);
            try {
                JsonNode cpus = Json.read(run).at("/host/cpus");
                if (cpus.isInt()) {
                    return cpus.asInt();
                }
            } catch (IOException e) {
                // A cell without a run says nothing; another one does.
            }
        }
        return 0;
    }
}
