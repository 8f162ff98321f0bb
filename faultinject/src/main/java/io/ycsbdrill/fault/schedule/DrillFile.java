package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.yaml.LineProblems;
import io.ycsbdrill.base.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A drill file, read and checked; its format is in docs/drills.md.
 *
 * @param file its name, as in messages
 * @param text the file as it is
 * @param schedule the faults
 * @param load what is asked of the database
 */
public record DrillFile(String file, String text, FaultSchedule schedule, OfferedLoad load) {

    /**
     * Reads a file.
     *
     * @throws IOException when it cannot be read
     * @throws DrillFileException with everything that is wrong in it
     */
    public static DrillFile read(Path file) throws IOException, DrillFileException {
        return parse(file.toString(), InputFile.text(file, InputFile.Kind.SETTINGS));
    }

    /**
     * Reads the text of a file.
     *
     * @param file its name, for messages and, without ending, as the drill's name when it does not say one
     * @throws DrillFileException with everything that is wrong in it
     */
    public static DrillFile parse(String file, String text) throws DrillFileException {
        LineProblems problems = new LineProblems(file);
        Optional<DrillFile> drill =
                YamlReader.read(text, problems).flatMap(root -> new DrillParser(file, text, problems).parse(root));
        problems.throwIfAny(DrillFileException::new);
        return drill.orElseThrow();
    }

    /**
     * The same file with the whole drill so often in one run, whatever the file says.
     *
     * @throws IllegalArgumentException as {@link FaultSchedule#repeated}
     */
    public DrillFile repeated(int faults) {
        return new DrillFile(file, text, schedule.repeated(faults), load);
    }
}
