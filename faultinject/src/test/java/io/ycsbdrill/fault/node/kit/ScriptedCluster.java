package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.nio.file.Path;
import java.util.List;

/** A cluster that can do nothing but what a test adds, and whose watch was never started. */
class ScriptedCluster extends ProcessCluster<ProcessHistory> {
    private final HistoryWatch<ProcessHistory> watch = new HistoryWatch<>("scripted-watch", told -> null) {
        @Override
        protected void read(ProcessHistory history) {}

        @Override
        protected void readFirst(ProcessHistory history) {}
    };

    ScriptedCluster(List<String> ids) {
        super(ids);
    }

    ScriptedCluster(Members members) {
        super(members);
    }

    @Override
    public String engine() {
        return "scripted";
    }

    @Override
    protected HistoryWatch<ProcessHistory> watch() {
        return watch;
    }

    @Override
    public ClusterDescriptor descriptor() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void down() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected Path pidFile(String node) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected Process launch(String node, boolean empty) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected boolean reported(String node, Process launched) {
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
    protected Path data(String node) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected Path log(String node) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected String lastWords(String node) {
        return "";
    }
}
