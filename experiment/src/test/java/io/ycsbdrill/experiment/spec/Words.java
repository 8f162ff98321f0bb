package io.ycsbdrill.experiment.spec;

import java.util.Map;
import java.util.Set;

/** A vocabulary for tests, as the command line would give it. */
public final class Words {
    public static final Vocabulary ALL = new Vocabulary(
            Map.of(
                    Command.RUN,
                    options(),
                    Command.LOAD,
                    Map.of("threads", new Vocabulary.Option("-threads", false)),
                    Command.DRILL,
                    options()),
            Map.of("embedded", Set.of("data-nodes", "backups"), "ndb", Set.of("replicas")),
            Set.of("recordcount", "fieldlength"));

    private Words() {}

    private static Map<String, Vocabulary.Option> options() {
        return Map.of(
                "threads", new Vocabulary.Option("-threads", false),
                "rate", new Vocabulary.Option("--rate", false),
                "duration", new Vocabulary.Option("--duration", false),
                "audit", new Vocabulary.Option("--audit", true));
    }

    /** An experiment that is valid. */
    public static Experiment experiment(String text) {
        try {
            return ExperimentFile.parse("e.yaml", text, ALL).experiment();
        } catch (ExperimentFileException e) {
            throw new AssertionError(e);
        }
    }
}
