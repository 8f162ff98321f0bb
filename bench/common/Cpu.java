import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time that was used until now. */
final class Cpu {
    private Cpu() {}

    /** Of this process, its garbage collector included, without the JVM's compiler, which works whenever it likes. Linux only. */
    static long nanos() throws IOException {
        long nanos = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
        try (var tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                nanos -= compilerNanos(task);
            }
        }
        return nanos;
    }

    /** None of a thread that ended meanwhile: the compiler's stay, with -XX:-UseDynamicNumberOfCompilerThreads. */
    private static long compilerNanos(Path task) throws IOException {
        String name;
        try {
            name = Files.readString(task.resolve("comm"));
        } catch (IOException e) {
            return 0;
        }
        return name.matches("(?s)C[12] Compiler.*")
                ? Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0])
                : 0;
    }
}
