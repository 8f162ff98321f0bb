package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A cluster that can do nothing but what a test adds, and whose watch was never started. */
class ScriptedCluster extends ProcessCluster<ProcessHistory> {
    private final HistoryWatch<ProcessHistory> watch = new HistoryWatch<>("scripted-watch", told -> history()) {
        @Override
        protected void read(ProcessHistory history) {}

        @Override
        protected void readFirst(ProcessHistory history) {}
    };

    ScriptedCluster(ClusterDescriptor descriptor, Members members, List<String> helpers) {
        super(descriptor, new Scripted(descriptor.directory()), members, helpers);
    }

    ScriptedCluster(Path directory, Members members) {
        this(
                new ClusterDescriptor("scripted", directory, Instant.EPOCH, "unknown", Map.of(), Map.of()),
                members,
                List.of());
    }

    /** What the watch knows; null when it is not asked. */
    protected ProcessHistory history() {
        return null;
    }

    /** Where its files are. */
    record Scripted(Path directory) implements ClusterFiles {
        @Override
        public Path data(String node) {
            return directory.resolve(node);
        }

        @Override
        public Path log(String node) {
            return output(node);
        }
    }

    @Override
    protected HistoryWatch<ProcessHistory> watch() {
        return watch;
    }

    @Override
    protected List<String> command(String node, boolean empty) throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    protected List<String> programs(String node) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void requestStop(String node, OsProcess process, Mode mode) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected NodeStatus status(String node, OsProcess process) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected String lastWords(String node) {
        return "";
    }
}
