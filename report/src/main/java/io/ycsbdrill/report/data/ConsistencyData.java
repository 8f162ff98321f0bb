package io.ycsbdrill.report.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Formatted;
import java.util.ArrayList;
import java.util.List;

/**
 * What the workload found about its own data after the run: {@code consistency.json}.
 *
 * @param json the file as it is
 */
public record ConsistencyData(JsonNode json) {

    /** In how many places a condition does not hold. */
    public long violated() {
        return json.path("violated").asLong();
    }

    /** Rows that could not be read; then nothing else is known. */
    public long unreadable() {
        return json.path("unreadable").asLong();
    }

    /** Whether the way the run was made promises that every condition holds. */
    public boolean promised() {
        return json.path("promised").asBoolean();
    }

    /** Whether every condition holds, and this is known. */
    public boolean holds() {
        return violated() == 0 && unreadable() == 0;
    }

    /** Whether something is wrong, or not known, that was promised. */
    public boolean isBroken() {
        return promised() && !holds();
    }

    /** The result in a few lines, starting with the verdict. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String subject = json.path("subject").asText("?");
        if (unreadable() > 0) {
            List<String> problems = new ArrayList<>();
            json.path("problems").forEach(problem -> problems.add(problem.asText()));
            lines.add(Formatted.of(
                    "%s: consistency is not known, as %,d {row|rows} could not be read (%s)",
                    subject, unreadable(), String.join("; ", problems)));
            return lines;
        }
        lines.add(Formatted.of(
                "%s: %s%s",
                subject,
                violated() == 0 ? "consistent" : Formatted.of("inconsistent, %,d {violation|violations}", violated()),
                promised() ? "" : "; nothing is promised in this mode"));
        List<String> figures = new ArrayList<>();
        json.path("figures")
                .properties()
                .forEach(figure -> figures.add(Formatted.of(
                        "%s %,d", figure.getKey(), figure.getValue().asLong())));
        if (!figures.isEmpty()) {
            lines.add(String.join(", ", figures));
        }
        return lines;
    }

    /** Each condition: what must hold, where it was checked, where it is violated, an example. */
    public List<List<String>> conditions() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode condition : json.path("conditions")) {
            rows.add(List.of(
                    condition.path("text").asText("?"),
                    Formatted.of("%,d", condition.path("checked").asLong()),
                    Formatted.of("%,d", condition.path("violated").asLong()),
                    condition.path("examples").path(0).asText("")));
        }
        return rows;
    }
}
