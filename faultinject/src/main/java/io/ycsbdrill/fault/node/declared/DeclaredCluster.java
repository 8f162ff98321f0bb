package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.base.ProcessTree;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Controls a local cluster of an engine that a file describes; each server is one process. */
final class DeclaredCluster extends ProcessCluster<DeclaredHistory> {
    private static final Duration UP_BOUND = Duration.ofMinutes(2);
    private static final Duration SCRIPT_BOUND = Duration.ofMinutes(1);
    /** Longest wait for another primary before a former one is started without data: the others would take its emptiness over. */
    private static final Duration FAILURE_BOUND = Duration.ofSeconds(30);

    private final Places places;
    private final EngineFile file;
    private final DeclaredFiles files;
    private final Programs programs;
    private final DeclaredWatch watch;
    /** By server, what was started last by this process. */
    private final Map<String, Process> launched = new ConcurrentHashMap<>();

    DeclaredCluster(ClusterDescriptor descriptor, DeclaredFiles files, Places places, Programs programs) {
        super(descriptor, files, new Members(files.directory(), places.nodes()), places.helpers());
        this.places = places;
        this.file = places.file();
        this.files = files;
        this.programs = programs;
        this.watch = new DeclaredWatch(places, files, ids(), this::process, programs);
    }

    /** All servers are started before any is waited for: some recover only when there are others. */
    void bringUp(Consumer<String> progress) throws IOException {
        List<String> all = ids();
        progress.accept("starting " + String.join(", ", all));
        try {
            all.forEach(this::start);
            for (String id : all) {
                awaitStarted(id, UP_BOUND);
            }
            all.forEach(this::requireProgram);
        } catch (RuntimeException e) {
            launched.keySet().forEach(this::endUnknown);
            throw e;
        }
        Files.createFile(files.complete());
        progress.accept("all of them answer"
                + primary().map(id -> "; " + id + " is primary").orElse(""));
    }

    @Override
    protected Process launch(String id, boolean empty) {
        Process process = super.launch(id, empty);
        launched.put(id, process);
        return process;
    }

    private boolean isUnknown(OsProcess process) {
        return process.alive() && !process.runsOneOf(Set.copyOf(programs.names()));
    }

    /** Nobody could stop another one later: what is signalled is known by its program. */
    private void requireProgram(String id) {
        process(id).filter(this::isUnknown).ifPresent(process -> {
            throw new NodeControlException("the process of " + id + " (" + process.commandLine()
                    + ") runs none of programs (" + String.join(", ", programs.names())
                    + "): add the one that the command becomes, such as java, and let a script become it by exec");
        });
    }

    /** Only who has started it may end one that runs another program. */
    private void endUnknown(String id) {
        Process process = launched.get(id);
        if (process.isAlive() && process(id).filter(this::isUnknown).isPresent()) {
            ProcessTree.kill(process);
            process.onExit().join();
        }
    }

    @Override
    protected DeclaredWatch watch() {
        return watch;
    }

    @Override
    protected boolean grows() {
        return false;
    }

    private boolean isHelper(String id) {
        return file.helperIds().contains(id);
    }

    @Override
    protected List<String> command(String id, boolean empty) throws IOException {
        programs.require();
        Files.createDirectories(files.data(id));
        if (empty && !isHelper(id) && Files.exists(files.complete())) {
            initialise(id);
        }
        List<String> command =
                new ArrayList<>(isHelper(id) ? IsolatedNetwork.FEATURE.enter(directory(), id) : List.of());
        command.addAll(programs.command(file.group(id).command()).stream()
                .map(word -> places.fill(word, id))
                .toList());
        return command;
    }

    /** What it prints is its log. */
    @Override
    protected String lastWords(String id) {
        return "; it printed: " + LogTail.quoted(files.output(id), 5);
    }

    /** Tells the others, by the file's script, that the node starts without data; nothing when there is no script. */
    void initialise(String id) {
        file.initialise().ifPresent(script -> run(id, script));
    }

    /** From a file: everybody can read what is on a command line. */
    private void run(String id, String script) {
        NodeIo.run(
                "the script initialise of engine " + file.engine() + " cannot be run for " + id
                        + ", which is not started",
                () -> {
                    Path written = directory().resolve("run/initialise-" + id + ".sh");
                    AtomicFile.writePrivate(written, places.fill(script, id).getBytes(StandardCharsets.UTF_8));
                    ProgramOutput output = ProgramOutput.of(
                            List.of("sh", "-eu", written.toString()), programs::environment, SCRIPT_BOUND);
                    if (output.exit() != 0) {
                        throw new NodeControlException("the script initialise of engine " + file.engine()
                                + " ended with exit status "
                                + output.exit() + " for " + id + ", which is not started: "
                                + PlainText.bounded(PlainText.line(output.text().strip())));
                    }
                });
    }

    @Override
    protected List<String> programs(String id) {
        return programs.names();
    }

    @Override
    protected void environment(String id, Map<String, String> environment) {
        programs.environment(environment);
    }

    @Override
    protected Path workingDirectory(String id) {
        return files.home(id);
    }

    @Override
    protected void requestStop(String id, OsProcess process, Mode mode) {
        watch.ask(history -> {
            history.stopping(id);
            return id;
        });
        process.signal(mode == Mode.ABORT ? "KILL" : "TERM");
    }

    @Override
    public void checkInitial(String id) {
        if (!NodeLocks.holds(FAILURE_BOUND, () -> !watch.ask(h -> h.failureOpen(id)))) {
            throw new NodeControlException(
                    "no other node has become primary within " + FAILURE_BOUND.toSeconds() + " s, and without its data "
                            + id + " would take what the others have from them; its files are kept");
        }
        boolean others =
                places.nodes().stream().anyMatch(other -> !other.equals(id) && watch.ask(h -> h.recovered(other)));
        if (isHelper(id)) {
            throw new NodeControlException(id + " has no data that could be copied from others; start it as it is");
        }
        Initialisable.requireCopy(id, others || places.nodes().size() == 1);
    }

    @Override
    protected NodeStatus status(String id, OsProcess process) {
        return watch.ask(h -> status(id, h.recovered(id) ? State.STARTED : State.STARTING, h.detail(id), process));
    }
}
