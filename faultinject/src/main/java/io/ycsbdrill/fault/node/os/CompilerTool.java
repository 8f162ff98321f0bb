package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import java.util.List;
import java.util.Optional;

/** The C compiler as a program that faults of disks and clocks need, and nothing else. */
public enum CompilerTool implements Engine.Tool {
    CC;

    private static final String SWITCHES = "cluster up --disk-faults, --power-loss and --clock-faults";

    /** Never {@code bad}: clusters work without it. */
    @Override
    public List<Finding> diagnose(EngineContext context) {
        return List.of(program()
                .map(found -> Finding.ok("C compiler: " + found + ", for " + SWITCHES))
                .orElseGet(() ->
                        Finding.note("no C compiler (cc or gcc) found, which " + SWITCHES + " need. Next: " + NEXT)));
    }

    /** What to do when there is none. */
    static final String NEXT = "install your distribution's packages gcc and libc6-dev (or glibc-devel)";

    /** Where it is. */
    static Optional<String> program() {
        return Launcher.program("cc").or(() -> Launcher.program("gcc"));
    }
}
