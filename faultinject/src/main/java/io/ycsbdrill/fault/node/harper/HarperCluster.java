package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Controls the one server of a local cluster through its process and signals. */
final class HarperCluster extends ProcessCluster<ServerHistory> {
    static final String NODE = "node1";

    private static final Duration UP_BOUND = Duration.ofMinutes(3);

    private final HarperSettings settings;
    private final HarperServer server;
    private final ServerWatch watch;

    private HarperCluster(ClusterDescriptor descriptor, HarperSettings settings, HarperFiles files) {
        super(descriptor, files, Members.numbered(descriptor.directory(), 1));
        this.settings = settings;
        this.server = new HarperServer(settings, files);
        this.watch = new ServerWatch(settings, () -> process(NODE));
    }

    static HarperCluster open(ClusterDescriptor descriptor) {
        HarperFiles files = new HarperFiles(descriptor.directory());
        if (!Files.isRegularFile(files.password())) {
            throw new NodeControlException("no Harper server is left in " + descriptor.directory());
        }
        return new HarperCluster(descriptor, HarperSettings.of(descriptor), files);
    }

    void bringUp(Consumer<String> progress) {
        progress.accept("creating the database and starting the server");
        start(NODE);
        awaitStarted(NODE, UP_BOUND);
        progress.accept(NODE + " serves on 127.0.0.1:" + settings.restPort());
    }

    @Override
    protected boolean grows() {
        return false;
    }

    @Override
    protected ServerWatch watch() {
        return watch;
    }

    @Override
    protected List<String> command(String node, boolean empty) throws IOException {
        return server.command();
    }

    @Override
    protected List<String> programs(String node) {
        return server.programs();
    }

    @Override
    protected void environment(String node, Map<String, String> environment) {
        server.setEnvironment(environment);
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
}
