package io.ycsbdrill.experiment.run;

import java.nio.file.Path;

/** Where the files of an experiment are; docs/experiments.md lists them. */
public record ExperimentDirectory(Path root) {
    public static final String SPECIFICATION = "experiment.yaml";

    public ExperimentDirectory {
        root = root.toAbsolutePath().normalize();
    }

    /** The experiment as it was given. */
    public Path specification() {
        return root.resolve(SPECIFICATION);
    }

    /** The state directory of the experiment's own clusters. */
    Path state() {
        return root.resolve("state");
    }

    /** Output of commands for clusters, and the loads of their tables. */
    Path clusters() {
        return root.resolve("clusters");
    }

    Path cell(Cell cell) {
        return root.resolve("cells").resolve(cell.id());
    }

    /** Who the command of a cell is while it is run. */
    Path pid(Cell cell) {
        return cell(cell).resolve("pid");
    }

    /** The run directory of a cell. */
    Path run(Cell cell) {
        return cell(cell).resolve("run");
    }
}
