package io.ycsbdrill.fault.explore;

import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A drill that was drawn, as a file has it. Immutable.
 *
 * @param head the keys of the file but for the steps, each with all its text; may be empty
 * @param steps at least one
 */
public record DrawnDrill(Map<String, String> head, List<DrawnStep> steps) {
    private static final String LOAD = "load";

    public DrawnDrill {
        head = new LinkedHashMap<>(head);
        steps = List.copyOf(steps);
    }

    /** The file, which {@code ycsb drill -D} takes. */
    public String text() {
        return head.entrySet().stream()
                        .map(key -> key.getKey() + ":" + (key.getValue().startsWith("\n") ? "" : " ") + key.getValue()
                                + "\n")
                        .collect(Collectors.joining())
                + "steps:\n"
                + steps.stream().map(DrawnStep::text).collect(Collectors.joining());
    }

    /**
     * The same, checked as any other file.
     *
     * @param name of the file
     * @throws DrillFileException when it would be refused
     */
    public DrillFile file(String name) throws DrillFileException {
        return DrillFile.parse(name, text());
    }

    /** With these steps instead. */
    DrawnDrill steps(List<DrawnStep> others) {
        return new DrawnDrill(head, others);
    }

    /** The same with nothing done to the cluster, for the time of a fault; without limits, some of which make no sense then. */
    public DrawnDrill withoutFaults() {
        DrawnStep nothing = new DrawnStep("nothing", "none", Map.of("fault", "none"))
                .with("node", "random")
                .with("duration", "5s")
                .with("at", "0s");
        Map<String, String> unlimited = new LinkedHashMap<>(head);
        unlimited.remove("limits");
        return new DrawnDrill(unlimited, List.of(nothing));
    }

    /** Offers so many operations each second. */
    public DrawnDrill load(long perSecond) {
        Map<String, String> changed = new LinkedHashMap<>(head);
        changed.put(LOAD, perSecond + "/s");
        return new DrawnDrill(changed, steps);
    }

    /** What it asks of the database; empty when it does not say. */
    public String load() {
        return head.getOrDefault(LOAD, "");
    }

    /** Its faults in a few words: {@code kill random; pause same-as:first after first.synchronise}. */
    public String brief() {
        return steps.stream()
                .map(step -> step.kind() + " " + step.key("node")
                        + (step.key("after").isEmpty()
                                ? " at " + step.key("at")
                                : " after " + step.key("after")
                                        + (step.key("delay").isEmpty() ? "" : " + " + step.key("delay"))))
                .collect(Collectors.joining("; "));
    }
}
