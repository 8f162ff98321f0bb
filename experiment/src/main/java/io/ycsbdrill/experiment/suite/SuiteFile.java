package io.ycsbdrill.experiment.suite;

import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.YamlReader;
import io.ycsbdrill.experiment.spec.ExperimentFileException;
import io.ycsbdrill.experiment.spec.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A suite's file, read and checked.
 *
 * @param text the file as it is
 * @param suite what it says for one engine and scale
 */
public record SuiteFile(String text, Suite suite) {

    /**
     * Reads the text of a file.
     *
     * @param file its name, for messages and, without ending, as the suite's name
     * @param choice for what it is wanted
     * @param vocabulary the names that settings may have
     * @throws ExperimentFileException with everything that is wrong in it, or with the choice
     */
    public static SuiteFile parse(String file, String text, SuiteChoice choice, Vocabulary vocabulary)
            throws ExperimentFileException {
        LineProblems problems = new LineProblems(file);
        Optional<Suite> suite = YamlReader.read(text, problems)
                .flatMap(root -> new SuiteParser(file, choice, vocabulary, problems).parse(root));
        problems.throwIfAny(ExperimentFileException::new);
        return new SuiteFile(text, suite.orElseThrow());
    }

    /** Tells one state of the file from another: the first twelve digits of its SHA-256. */
    public String hash() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
