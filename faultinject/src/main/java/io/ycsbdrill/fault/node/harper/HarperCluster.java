package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.Teardown;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Controls the one server of a local cluster through its process and signals. */
final class HarperCluster extends ProcessCluster<ServerHistory> {
    static final String NODE = "node1";

    private final ClusterDescriptor descriptor;
    private final HarperFiles files;
    private final HarperPrograms programs;
    private final Process watchdog;
    private final ServerWatch watch;

    private HarperCluster(ClusterDescriptor descriptor, Process watchdog) {
        super(List.of(NODE));
        HarperSettings settings = HarperSettings.of(descriptor);
        this.descriptor = descriptor;
        this.files = new HarperFiles(descriptor.directory());
        this.programs = new HarperPrograms(settings, files);
        this.watchdog = watchdog;
        this.watch = new ServerWatch(settings, programs::process);
    }

    /**
     * Watches from now on; earlier events count for the server's state, but are not reported again.
     *
     * @param watchdog ends the server with this process; null when it outlives it, or another process holds it
     */
    static HarperCluster open(ClusterDescriptor descriptor, Process watchdog) {
        HarperCluster cluster = new HarperCluster(descriptor, watchdog);
        cluster.watch.start();
        return cluster;
    }

    static HarperCluster attach(ClusterDescriptor descriptor) {
        if (!Files.isRegularFile(new HarperFiles(descriptor.directory()).password())) {
            throw new NodeControlException("no Harper server is left in " + descriptor.directory());
        }
        return open(descriptor, null);
    }

    @Override
    public String engine() {
        return HarperEngine.NAME;
    }

    @Override
    public ClusterDescriptor descriptor() {
        return descriptor;
    }

    @Override
    public void down() {
        close();
        Teardown.run(files.directory(), watchdog);
    }

    @Override
    protected ServerWatch watch() {
        return watch;
    }

    @Override
    protected Path pidFile(String node) {
        return files.pid();
    }

    @Override
    protected Process launch(String node, boolean empty) {
        return programs.start();
    }

    @Override
    protected boolean reported(String node, Process launched) {
        return watch.reported(history -> history.running(node));
    }

    /** It knows one way only to stop: it ends its requests within some seconds. */
    @Override
    protected void requestStop(String node, OsProcess process, Mode mode) {
        process.signal("TERM");
    }

    @Override
    protected NodeStatus status(String node, OsProcess process) {
        boolean serves = watch.ask(history -> history.recovered(node));
        return status(
                node, serves ? State.STARTED : State.STARTING, serves ? "serves" : "does not answer yet", process);
    }

    @Override
    protected Path data(String node) {
        return files.data();
    }

    @Override
    protected Path log(String node) {
        return files.log();
    }

    @Override
    protected String lastWords(String node) {
        return "; " + programs.lastWords();
    }
}
