package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Io;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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

    /** The folders of cells that are there. */
    List<Path> cells() throws IOException {
        Path all = root.resolve("cells");
        return Files.isDirectory(all) ? Io.list(all) : List.of();
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
