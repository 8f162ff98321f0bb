package io.ycsbdrill.fault.explore;

import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a drill file has beside its steps. */
public final class Head {
    /** Used unless another drill says so: short drills, in which lost writes and a service that does not return are judged. */
    public static final Map<String, String> STANDARD = ordered(
            "load", "60%",
            "steady", "{after: 5s, window: 4s}",
            "cooldown", "8s",
            "recovery_timeout", "2m",
            "limits", "{acked_lost: 0}");

    private static final Set<String> NOT_USED = Set.of("name", "seed", "steps", "cycles");
    private static final Pattern KEY = Pattern.compile("([a-z_]+):[ \\t]*(.*)");

    private Head() {}

    private static Map<String, String> ordered(String... pairs) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /**
     * Of a file, each key with all its text.
     *
     * @throws IllegalArgumentException when its keys do not begin lines of their own
     */
    public static Map<String, String> of(DrillFile file) {
        Map<String, String> head = new LinkedHashMap<>();
        String key = "";
        for (String line : file.text().lines().toList()) {
            Matcher begins = KEY.matcher(line);
            if (begins.matches()) {
                key = begins.group(1);
                head.put(key, begins.group(2));
            } else if (!key.isEmpty() && !line.startsWith("#")) {
                head.merge(key, "\n" + line, String::concat);
            }
        }
        if (!head.containsKey("steps")) {
            throw new IllegalArgumentException(
                    "its keys do not begin lines of their own, so they cannot be taken from it");
        }
        head.keySet().removeAll(NOT_USED);
        head.replaceAll((any, text) -> text.stripTrailing());
        return head;
    }

    /**
     * A drill as they are drawn, to see whether the rest of the file goes with it.
     *
     * @throws DrillFileException when it does not
     */
    public static DrillFile sample(Map<String, String> head) throws DrillFileException {
        Kind kill = Kind.ALL.get(0);
        DrawnStep step = new DrawnStep("first", kill.name(), kill.drawn(() -> 0))
                .with("node", "random")
                .with("at", "1s");
        return new DrawnDrill(head, List.of(step)).file("explore");
    }
}
