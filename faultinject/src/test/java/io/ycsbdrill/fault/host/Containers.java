package io.ycsbdrill.fault.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An engine of containers with storage and, for root, a network of its own: a namespace that is "the machine", in which its bridge is and
 * commands of this tool run. Its image is a skeleton on which this machine's own programs are mounted, so that nothing is fetched.
 */
public final class Containers implements AutoCloseable {
    /** Of the machine, in the network of its containers. */
    public static final String MACHINE = "10.98.0.254";

    private static final String IMAGE = "localhost/drill:test";
    private static final Path PLUGINS = Path.of("/usr/lib/cni");
    private static final int START_SECONDS = 60;
    private static final int LONGEST_RUN_ROOT = 50;

    /** Which engine. */
    public enum Kind {
        PODMAN(List.of("podman", "runc")),
        DOCKER(List.of("docker", "dockerd"));

        private final List<String> programs;

        Kind(List<String> programs) {
            this.programs = programs;
        }

        /** The program of its command line. */
        public String program() {
            return programs.get(0);
        }
    }

    private final Kind kind;
    private final Path folder;
    private final Process keeper;
    private final Map<String, String> environment = new HashMap<>();
    private Process daemon;

    private Containers(Kind kind, Path folder, Process keeper) {
        this.kind = kind;
        this.folder = folder;
        this.keeper = keeper;
    }

    /** Skips the test, with the reason, where there can be none. */
    public static Containers start(Kind kind, Path folder) throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "skipped: containers of the test are root's");
        Stream.concat(kind.programs.stream(), Stream.of("unshare", "nsenter", "ip", "nft"))
                .forEach(program -> assumeTrue(isThere(program), "skipped: " + program + " is not installed"));
        assumeTrue(
                kind != Kind.PODMAN || Files.isExecutable(PLUGINS.resolve("bridge")),
                "skipped: the package containernetworking-plugins is not installed");
        Files.createDirectories(folder);
        Process keeper = new ProcessBuilder("unshare", "--net", "--", "sleep", "4h")
                .redirectInput(new File("/dev/null"))
                .start();
        Containers containers = new Containers(kind, folder, keeper);
        try {
            containers.begin();
            return containers;
        } catch (Exception | AssertionError e) {
            containers.close();
            throw e;
        }
    }

    private void begin() throws Exception {
        Path ours = Path.of("/proc/self/ns/net");
        Path its = Path.of("/proc", Long.toString(keeper.pid()), "ns/net");
        await(() -> !Files.readSymbolicLink(its).equals(Files.readSymbolicLink(ours)), "no network namespace");
        onMachine("ip", "link", "set", "lo", "up");
        if (kind == Kind.PODMAN) {
            podman();
        } else {
            docker();
        }
        Path root = skeleton();
        Path tar = folder.resolve("image.tar");
        run(List.of("tar", "-C", root.toString(), "-cf", tar.toString(), "."));
        engine("import", tar.toString(), IMAGE);
    }

    private void podman() throws IOException {
        // What Podman runs when a container has ended refuses a longer one, without a word: no policy starts it again,
        // and its network stays.
        assertThat(folder + "/run")
                .as("Podman's directory; take a shorter one for temporary files")
                .hasSizeLessThanOrEqualTo(LONGEST_RUN_ROOT);
        Files.createDirectories(folder.resolve("cni"));
        Files.writeString(folder.resolve("containers.conf"), """
                [containers]
                default_ulimits = ["nofile=4096:8192", "nproc=4000:4000"]
                [engine]
                runtime = "runc"
                cgroup_manager = "cgroupfs"
                events_logger = "file"
                [network]
                network_backend = "cni"
                network_config_dir = "%s/cni"
                cni_plugin_dirs = ["%s"]
                default_network = "drill"
                """.formatted(folder, PLUGINS));
        Files.writeString(folder.resolve("storage.conf"), """
                [storage]
                driver = "vfs"
                graphroot = "%1$s/storage"
                runroot = "%1$s/run"
                """.formatted(folder));
        Files.writeString(folder.resolve("cni/drill.conflist"), """
                {"cniVersion": "0.4.0", "name": "drill", "plugins": [
                 {"type": "bridge", "bridge": "drill0", "isGateway": true, "capabilities": {"ips": true},
                  "ipam": {"type": "host-local", "dataDir": "%s/ipam", "ranges": [[{"subnet": "10.98.0.0/24", "gateway": "%s"}]]}}]}
                """.formatted(folder, MACHINE));
        environment.put("CONTAINERS_CONF", folder.resolve("containers.conf").toString());
        environment.put(
                "CONTAINERS_STORAGE_CONF", folder.resolve("storage.conf").toString());
    }

    private void docker() throws Exception {
        List<String> command = into();
        command.addAll(List.of("dockerd", "--iptables=false", "--bridge=none", "--storage-driver=vfs"));
        command.addAll(List.of("--data-root", folder + "/data", "--exec-root", folder + "/exec"));
        command.addAll(List.of("-H", "unix://" + folder + "/s.sock", "--pidfile", folder + "/docker.pid"));
        daemon = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("dockerd.log").toFile())
                .start();
        environment.put("DOCKER_HOST", "unix://" + folder + "/s.sock");
        await(() -> ProgramOutput.of(line(List.of("version"))).exit() == 0, "dockerd does not answer");
        engine("network", "create", "--subnet", "10.98.0.0/24", "--gateway", MACHINE, "drill");
    }

    private Path skeleton() throws IOException {
        Path root = folder.resolve("root");
        for (String name : List.of("usr", "etc/alternatives", "tmp", "run/mysqld", "var/lib/mysql", "root", "drill")) {
            Files.createDirectories(root.resolve(name));
        }
        for (String name : List.of("bin", "sbin", "lib", "lib64")) {
            Files.createSymbolicLink(root.resolve(name), Path.of("usr", name));
        }
        Files.writeString(root.resolve("etc/passwd"), """
                root:x:0:0::/root:/bin/sh
                mysql:x:999:999::/var/lib/mysql:/bin/sh
                """);
        Files.writeString(root.resolve("etc/group"), "root:x:0:\nmysql:x:999:\n");
        run(List.of("chown", "999:999", root + "/var/lib/mysql", root + "/run/mysqld"));
        run(List.of("chmod", "1777", root + "/tmp"));
        return root;
    }

    /** What a container needs of this machine to run its programs. */
    public List<String> programs(Path... more) {
        List<String> options = new ArrayList<>();
        Stream.concat(Stream.of(Path.of("/usr"), Path.of("/etc/alternatives"), javaSettings()), Stream.of(more))
                .filter(Files::exists)
                .forEach(path -> options.addAll(List.of("-v", path + ":" + path + ":ro")));
        return options;
    }

    /** Debian keeps them apart from the rest of Java. */
    private static Path javaSettings() {
        return Path.of("/etc/java-" + Runtime.version().feature() + "-openjdk");
    }

    /** Starts a container. */
    public void container(String name, List<String> options, List<String> command) throws IOException {
        List<String> words = new ArrayList<>(List.of("run", "-d", "--name", name));
        words.addAll(options);
        words.add(IMAGE);
        words.addAll(command);
        engine(words.toArray(String[]::new));
    }

    /** A command of the engine; returns what it prints. */
    public String engine(String... words) throws IOException {
        return run(line(List.of(words))).strip();
    }

    private List<String> line(List<String> words) {
        List<String> line = into();
        line.add("env");
        environment.forEach((name, value) -> line.add(name + "=" + value));
        line.add(kind.program());
        line.addAll(words);
        return line;
    }

    /** In the network of the machine. */
    public List<String> into() {
        return new ArrayList<>(List.of("nsenter", "--net=/proc/" + keeper.pid() + "/ns/net", "--"));
    }

    /** Runs a command in it; returns what it prints. */
    public String onMachine(String... command) throws IOException {
        List<String> line = into();
        line.addAll(List.of(command));
        return run(line);
    }

    /** What commands of this tool need to call the engine. */
    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    /** The packet filter in a container's own network. */
    public String tables(String name) throws IOException {
        String pid = engine("inspect", "-f", "{{.State.Pid}}", name);
        return run(List.of("nsenter", "--net=/proc/" + pid + "/ns/net", "nft", "list", "tables"));
    }

    private static String run(List<String> command) throws IOException {
        ProgramOutput output = ProgramOutput.of(command, Duration.ofMinutes(3));
        assertThat(output.exit()).as(command + ": " + output.text()).isZero();
        return output.text();
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition, String complaint) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as(complaint).isLessThan(end);
            Thread.sleep(50);
        }
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }

    /** All of it is this test's own: containers, image, volumes, network. */
    @Override
    public void close() throws IOException {
        try {
            if (!environment.isEmpty()) {
                String all = engine("ps", "-aq");
                for (String id : all.split("\\s+")) {
                    if (!id.isEmpty()) {
                        engine("rm", "-f", "-v", id);
                    }
                }
                engine("volume", "prune", "-f");
                ProgramOutput.of(line(List.of("rmi", "-f", IMAGE)));
            }
        } finally {
            if (daemon != null) {
                daemon.destroy();
                daemon.onExit()
                        .completeOnTimeout(daemon, START_SECONDS, TimeUnit.SECONDS)
                        .join();
                daemon.destroyForcibly();
                // Which it leaves mounted.
                ProgramOutput.of(List.of("umount", folder + "/exec/netns/default"));
            }
            keeper.destroyForcibly();
        }
    }
}
