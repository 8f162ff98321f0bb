package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ycsbdrill.base.Io;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The experiment that compares A with B, as the text of its file. Stateless. */
final class AbText {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build();
    private static final int LONGEST_LABEL = 60;
    private static final int LONGEST_NAME = 80;

    /**
     * Writes it.
     *
     * @param files property files of both sides
     * @param fixed settings of both sides, as typed: {@code key=value}
     * @param seed of the order and the pauses; empty for one that is chosen and recorded
     * @param cluster the engine of a cluster that the experiment starts; empty for none
     */
    static String of(
            AbSide a,
            AbSide b,
            String binding,
            List<String> files,
            List<String> fixed,
            Optional<String> cluster,
            int pairs,
            OptionalLong seed,
            String settle) {
        boolean commands = a.kind() == AbSide.Kind.COMMAND;
        Map<String, Object> experiment = new LinkedHashMap<>();
        String name = commands ? "two commands" : a.text() + " against " + b.text();
        String clean = name.replaceAll("[^\\w .,:=+-]", "-").replaceFirst("^\\W+", "");
        experiment.put("name", clean.substring(0, Math.min(clean.length(), LONGEST_NAME)));
        experiment.put("command", a.drills() ? "drill" : "run");
        cluster.ifPresent(engine -> experiment.put("cluster", Map.of("engine", engine)));
        Map<String, Object> all = new LinkedHashMap<>();
        if (!commands) {
            all.put("binding", binding);
        }
        if (!files.isEmpty()) {
            all.put("workload", files);
        }
        all.putAll(settings(fixed));
        if (!all.isEmpty()) {
            experiment.put("fixed", all);
        }
        Map<String, Object> sides = new LinkedHashMap<>();
        sides.put(label("A", a), a.settings(files));
        sides.put(label("B", b), b.settings(files));
        experiment.put("axes", Map.of("variant", sides));
        experiment.put("repeats", pairs);
        experiment.put("order", "random");
        seed.ifPresent(number -> experiment.put("seed", number));
        experiment.put("settle", settle);
        return Io.get("writing to memory failed", () -> YAML.writeValueAsString(experiment));
    }

    /** Settings as typed, {@code key=value}, by key; one without a value gets an empty one, which the check of the file refuses. */
    static Map<String, Object> settings(List<String> typed) {
        Map<String, Object> settings = new LinkedHashMap<>();
        typed.forEach(setting -> {
            int equals = setting.indexOf('=');
            settings.put(
                    equals < 0 ? setting : setting.substring(0, equals),
                    equals < 0 ? "" : setting.substring(equals + 1));
        });
        return settings;
    }

    /** Whole commands are shown elsewhere. */
    private static String label(String side, AbSide what) {
        String text = what.kind() == AbSide.Kind.COMMAND ? side : side + " " + what.text();
        String clean = text.replaceAll("[\\p{Cntrl},\"]+", " ");
        return clean.substring(0, Math.min(clean.length(), LONGEST_LABEL)).strip();
    }

    static List<String> with(List<String> files, String another) {
        List<String> all = new ArrayList<>(files);
        all.add(another);
        return all;
    }
}
