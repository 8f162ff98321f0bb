package io.ycsbdrill.rundir;

/**
 * One row of {@code slices.csv} or {@code owners.csv}, without the operation or the owner.
 *
 * @param slice from 0
 * @param maxMicros NaN where nothing completed
 */
public record SliceRow(int slice, long ok, long failed, long unknown, double maxMicros) {

    /** @throws IllegalArgumentException when the row is damaged */
    public static SliceRow of(CsvRow row) {
        return new SliceRow(
                row.number32("slice"),
                row.count("ok"),
                row.count("failed"),
                row.count("unknown"),
                row.orNaN("max_service_us"));
    }
}
