package io.ycsbdrill.client.drill;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.nio.file.Path;
import java.time.Duration;

/** The section {@code drill} of {@code run.json}. */
public final class DrillSection {
    private DrillSection() {}

    /** Name, file and text of the drill without secrets, its limits and SLO in fixed units, and the seed in effect. */
    public static ObjectNode of(DrillFile file, long runSeed) {
        FaultSchedule schedule = file.schedule();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", schedule.name());
        json.put("file", Path.of(file.file()).getFileName().toString());
        json.put("text", Secrets.inText(file.text()));
        if (schedule.isPlacebo()) {
            json.put("placebo", true);
        }
        json.put("seed", schedule.seed().orElse(runSeed));
        json.put("cooldownSeconds", seconds(schedule.cooldown()));
        json.put("recoveryTimeoutSeconds", seconds(schedule.recoveryBound()));
        schedule.cycles().ifPresent(cycles -> json.putObject("cycles")
                .put("count", cycles.faults())
                .put("nulls", cycles.nulls())
                .put("pauseSeconds", seconds(cycles.pause())));
        json.set("limits", schedule.limits().toJson());
        if (!schedule.slo().toJson().isEmpty()) {
            json.set("slo", schedule.slo().toJson());
        }
        return json;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
