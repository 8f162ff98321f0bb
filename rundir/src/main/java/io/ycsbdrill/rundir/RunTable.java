package io.ycsbdrill.rundir;

import java.util.Arrays;
import java.util.List;

/** The tables of a run directory: files of comma-separated values with a header, whose columns are found by name. */
public enum RunTable {
    WINDOWS(
            "windows.csv",
            "window* start_s* end_s* operation* ok* failed* unknown* skipped throughput_ops_s "
                    + Latency.columns("service") + " " + Latency.columns("response") + " phase markers phases"),
    SLICES("slices.csv", "slice* start_s operation* ok* failed* unknown* max_service_us"),
    OWNERS("owners.csv", "slice* start_s owner* ok* failed* unknown* max_service_us"),
    PHASES("phases.csv", "step* occurrence fault node* phase* stage start_s* end_s* duration_s"),
    THREADS("threads.csv", "thread* from_s* until_s*"),
    CLIENT("client.csv", "slice start_s* stall_ms* gc_ms* client_cpus machine_idle machine_steal"),
    NODES("nodes.csv", "at_s* node* process* cpu_s* memory_mb* process_s network received_mb sent_mb");

    private final String file;
    private final List<String> columns;
    private final List<String> required;

    /** @param columns in the order in which they are written; without those with a star no row can be read */
    RunTable(String file, String columns) {
        this.file = file;
        this.columns = List.of(columns.replace("*", "").split(" "));
        required = Arrays.stream(columns.split(" "))
                .filter(name -> name.endsWith("*"))
                .map(name -> name.replace("*", ""))
                .toList();
    }

    /** Its name in the run directory. */
    public String file() {
        return file;
    }

    /** All columns, in the order in which they are written. */
    public List<String> columns() {
        return columns;
    }

    /** Those that each file has, also of an earlier version. */
    public List<String> required() {
        return required;
    }
}
