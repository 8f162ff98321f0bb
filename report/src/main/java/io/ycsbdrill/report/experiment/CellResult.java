package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a cell ended; its file {@code cell.json} is what makes the cell complete.
 *
 * @param state {@value CellRow#OK} when its figures count, {@value CellRow#NA} when not
 * @param reason why they do not; empty when they do
 * @param startedAt when its command was started, or it was decided not to run it; ISO time
 * @param seconds how long the command took; 0 when it was not run
 * @param exitCode of the command; -1 when it was not run
 * @param position how many cells of the experiment had ended before it; -1 in a file that does not tell
 * @param deviceReadMegabytes what the machine read from its disks meanwhile; empty when that is not known
 * @param clusterSeconds how long it took before to give it its cluster and table; empty when it was not run, and in a file that does not tell
 * @param prepared how that was done: {@code started} for it, its table {@code loaded} beside others, or {@code kept} from an earlier cell;
 *     empty without a cluster of the experiment, and as above
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record CellResult(
        String state,
        String reason,
        String startedAt,
        double seconds,
        int exitCode,
        Integer position,
        OptionalDouble deviceReadMegabytes,
        OptionalDouble clusterSeconds,
        Optional<String> prepared) {
    /** Its name in the directory of a cell. */
    public static final String FILE = "cell.json";

    public CellResult {
        state = state == null ? "" : state;
        reason = reason == null ? "" : reason;
        startedAt = startedAt == null ? "" : startedAt;
        position = position == null ? -1 : position;
        prepared = prepared == null ? Optional.empty() : prepared;
    }

    /** The same after so long a time for its cluster and table. */
    public CellResult providedIn(double taken) {
        return new CellResult(
                state,
                reason,
                startedAt,
                seconds,
                exitCode,
                position,
                deviceReadMegabytes,
                OptionalDouble.of(taken),
                prepared);
    }

    /** Whether its figures count. */
    public boolean counts() {
        return state.equals(CellRow.OK);
    }

    public void write(Path cell) throws IOException {
        Json.write(cell.resolve(FILE), this);
    }

    /** @throws IOException when there is none, or it is damaged */
    public static CellResult read(Path cell) throws IOException {
        return Json.READER.treeToValue(Json.read(cell.resolve(FILE)), CellResult.class);
    }
}
