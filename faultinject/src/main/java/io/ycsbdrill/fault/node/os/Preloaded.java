package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A small library of ours, compiled in a folder of a cluster's directory and loaded before the C library of each node, and for each
 * node a file that both sides map, by which the library is told what to do. What it is told outlives the process that has told it.
 *
 * @param cluster the cluster's directory
 * @param name of the folder and, with {@code .c}, of the library's source
 * @param options of {@code cluster up} that ask for it, for messages
 * @param size of a control file
 */
record Preloaded(Path cluster, String name, String options, int size) {
    private static final String CONTROL = ".control";
    private static final Duration COMPILE_BOUND = Duration.ofMinutes(1);

    /** Whether the cluster was started with it. */
    boolean exists() {
        return Files.exists(library());
    }

    Path folder() {
        return cluster.resolve(name);
    }

    Path library() {
        return folder().resolve(name + ".so");
    }

    Path control(String node) {
        return folder().resolve(node + CONTROL);
    }

    /** @throws NodeControlException when it cannot be made on this machine */
    void compile() {
        if (library().toString().matches(".*[\\s:;].*")) {
            throw new NodeControlException(
                    options + ": directory \"" + cluster
                            + "\" has a blank or colon in its path, with which the loader takes no library; use another directory");
        }
        String compiler = CompilerTool.program()
                .orElseThrow(() -> new NodeControlException(options
                        + " needs a C compiler, and neither cc nor gcc was found; " + CompilerTool.NEXT
                        + ", or leave the option out"));
        try (InputStream source = Preloaded.class.getResourceAsStream(name + ".c")) {
            Files.createDirectories(folder());
            // Whatever the umask: the servers may be another user's.
            Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwx--x--x"));
            Path copy = folder().resolve(name + ".c");
            Files.copy(source, copy);
            // Under another name first: a library that is there is whole.
            Path made = folder().resolve(name + ".so.part");
            ProgramOutput output = ProgramOutput.of(
                    List.of(
                            compiler,
                            "-O2",
                            "-shared",
                            "-fPIC",
                            "-o",
                            made.toString(),
                            copy.toString(),
                            "-ldl",
                            "-lpthread"),
                    COMPILE_BOUND);
            if (output.exit() != 0) {
                throw new NodeControlException(options + ": " + compiler + " ended with exit status " + output.exit()
                        + ": " + output.text().strip()
                        + "; are the C library's headers installed (libc6-dev or glibc-devel)?");
            }
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(made, library());
        } catch (IOException e) {
            throw new NodeControlException(options + ": " + library() + " cannot be made: " + e.getMessage(), e);
        }
    }

    /** Has a node that is about to be started load it; its processes are those of the owner of its data. */
    void load(String node, Path data, Map<String, String> environment) throws IOException {
        Path control = control(node);
        if (!Files.exists(control)) {
            Files.write(control, new byte[size]);
        }
        UserPrincipal user = Files.getOwner(data);
        if (!Files.getOwner(control).equals(user)) {
            Files.setOwner(control, user);
        }
        environment.merge("LD_PRELOAD", library().toString(), (others, ours) -> ours + ":" + others);
        environment.put("YCSB_" + name.toUpperCase(Locale.ROOT) + "_CONTROL", control.toString());
    }

    /** Whether the process has it. */
    boolean loadedBy(OsProcess process) throws IOException {
        try (Stream<String> mapped = Files.lines(Path.of("/proc", Long.toString(process.pid()), "maps"))) {
            return mapped.anyMatch(line -> line.endsWith(library().toString()));
        }
    }

    ByteBuffer map(String node) {
        if (!Files.exists(control(node))) {
            throw new NodeControlException("node " + node + " was never started with " + options);
        }
        return map(control(node));
    }

    /** The control files of all nodes that were ever started. */
    List<ByteBuffer> mapAll() {
        return nodes().stream().map(node -> map(control(node))).toList();
    }

    /** All nodes that were ever started. */
    List<String> nodes() {
        return NodeIo.get("cannot list " + folder(), () -> Io.names(folder())).stream()
                .filter(file -> file.endsWith(CONTROL))
                .map(file -> file.substring(0, file.length() - CONTROL.length()))
                .toList();
    }

    private ByteBuffer map(Path control) {
        try (FileChannel file = FileChannel.open(control, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(MapMode.READ_WRITE, 0, size).order(ByteOrder.nativeOrder());
        } catch (IOException e) {
            throw new NodeControlException(
                    name + " faults cannot be controlled through " + control + ": " + e.getMessage(), e);
        }
    }
}
