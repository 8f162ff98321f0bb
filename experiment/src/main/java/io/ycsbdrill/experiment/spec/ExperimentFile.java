package io.ycsbdrill.experiment.spec;

import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.YamlReader;
import java.io.StringWriter;
import java.util.Optional;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * An experiment's file, read and checked; its format is in docs/experiments.md.
 *
 * @param file its name, as in messages
 * @param text the file as it is, or one that says the same
 * @param experiment what it says
 */
public record ExperimentFile(String file, String text, Experiment experiment) {

    /**
     * Reads the text of a file.
     *
     * @param file its name, for messages and, without ending, as the experiment's name when it does not say one
     * @param vocabulary the names that settings may have
     * @throws ExperimentFileException with everything that is wrong in it
     */
    public static ExperimentFile parse(String file, String text, Vocabulary vocabulary) throws ExperimentFileException {
        LineProblems problems = new LineProblems(file);
        Optional<Experiment> experiment = YamlReader.read(text, problems)
                .flatMap(root -> new ExperimentParser(file, vocabulary, problems).parse(root));
        problems.throwIfAny(ExperimentFileException::new);
        return new ExperimentFile(file, text, experiment.orElseThrow());
    }

    /**
     * The same with another {@code until}.
     *
     * @param share as in a file: {@code 10%}
     * @throws ExperimentFileException as above
     */
    public ExperimentFile until(String share, Vocabulary vocabulary) throws ExperimentFileException {
        LineProblems problems = new LineProblems(file);
        Optional<ExperimentFile> changed = YamlReader.read(text, problems)
                .flatMap(root -> of(file, Overlay.with((MappingNode) root, share, "until"), vocabulary, problems));
        problems.throwIfAny(ExperimentFileException::new);
        return changed.orElseThrow();
    }

    /**
     * Takes a document that is part of another file, or was made.
     *
     * @param file its name, as in messages
     * @param problems filled with everything that is wrong in it
     */
    public static Optional<ExperimentFile> of(String file, Node root, Vocabulary vocabulary, LineProblems problems) {
        StringWriter text = new StringWriter();
        new Yaml().serialize(root, text);
        return new ExperimentParser(file, vocabulary, problems)
                .parse(root)
                .map(experiment -> new ExperimentFile(file, text.toString(), experiment));
    }
}
