package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Short runs of the TPC-C-like workload on small tables of one warehouse, so that transactions meet. */
final class TpccRuns {
    private static final String NODE_DIES = """
              - {step: initialise, fault: initialise, node: random, mode: kill, down: 3s, at: 0s}
            """;
    private static final String ALL_DIE = """
              - {step: loss, fault: kill, node: all, after: initialise, delay: 1s}
              - {step: return, fault: start, node: same-as:loss, after: loss.failure-handling, delay: 2s}
            """;

    private TpccRuns() {}

    /**
     * Runs it in one mode, with an out directory and a table of that name, and expects it to be complete and as consistent as the mode
     * promises. A table that a run without transactions has used is not consistent from the beginning.
     */
    static void run(World world, String binding, String mode, String... more) throws IOException {
        List<String> arguments = arguments("run", binding, mode);
        arguments.addAll(List.of("-p", "table=tpcc_" + mode, "-p", "operationcount=300", "--out", mode));
        arguments.addAll(List.of(more));

        int exitCode = world.execute(arguments.toArray(String[]::new));

        assertThat(exitCode).as(world.err() + world.out()).isZero();
        JsonNode operations = json(world, mode, "summary.json").path("operations");
        for (String operation : List.of("NEW_ORDER", "PAYMENT")) {
            assertThat(operations.path(operation).path("ok").asLong())
                    .as("%s: %s", operation, operations)
                    .isPositive();
            assertThat(operations
                            .path(operation)
                            .path("service")
                            .path("p99Micros")
                            .asDouble())
                    .isPositive();
        }
        assertThat(operations.has("READ")).as("calls within a transaction").isFalse();
        JsonNode consistency = json(world, mode, "consistency.json");
        assertThat(consistency.path("unreadable").asLong())
                .as("%s", consistency)
                .isZero();
        assertThat(consistency.path("conditions")).hasSize(8);
        assertThat(consistency.path("promised").asBoolean()).isEqualTo(!mode.equals("none"));
        if (!mode.equals("none")) {
            assertThat(consistency.path("violated").asLong())
                    .as("%s", consistency)
                    .isZero();
            assertThat(world.err()).contains("TPC-C-like, mode " + mode + ": consistent");
        }
    }

    /**
     * A node is killed and initialised, then all are killed and started, while orders are entered. No condition may be violated but those
     * given, which say that an acknowledged commit is missing after the loss of all nodes. When the service is back is not asked: nodes that
     * have just been started serve the load only when their code is compiled, and what is due for orders until then is late.
     */
    static void drill(World world, String binding, String mode, Set<String> mayBeViolated, String... more)
            throws IOException {
        drill(world, binding, mode, NODE_DIES + ALL_DIE, mayBeViolated, more);
    }

    /** A node is killed and initialised while orders are entered, and no condition is violated. */
    static void drillOfOneNode(World world, String binding, String mode) throws IOException {
        drill(world, binding, mode, NODE_DIES, Set.of());
    }

    private static void drill(
            World world, String binding, String mode, String steps, Set<String> mayBeViolated, String... more)
            throws IOException {
        world.file("drill.yaml", """
                name: transactions
                # Ten transactions a second of five kinds, each of another number of calls: the calls scatter by themselves.
                steady: {after: 3s, window: 3s, slope: 60%, variation: 60%, within: 1m}
                cooldown: 4s
                recovery_timeout: 3m
                limits:
                  max_recovery: 3m
                  service_restored: any   # nodes that have just been started compile their code for longer than the cooldown
                steps:
                """ + steps);
        String out = "drill-" + mode;
        List<String> arguments = arguments("drill", binding, mode);
        arguments.addAll(List.of("-D", "drill.yaml", "-p", "table=tpcc_drill_" + mode, "-target", "10", "--out", out));
        arguments.addAll(List.of(more));

        int exitCode = world.execute(arguments.toArray(String[]::new));

        JsonNode consistency = json(world, out, "consistency.json");
        List<String> violated = new ArrayList<>();
        consistency.path("conditions").forEach(condition -> {
            if (condition.path("violated").asLong() > 0) {
                violated.add(condition.path("name").asText());
            }
        });
        System.out.println(binding + ", " + mode + ", after " + out + ": violated " + violated + ", "
                + consistency.path("figures"));
        assertThat(violated).as("%s", consistency).isSubsetOf(mayBeViolated);
        assertThat(consistency.path("unreadable").asLong())
                .as("%s", consistency)
                .isZero();
        assertThat(exitCode).as(world.err() + world.out()).isEqualTo(violated.isEmpty() ? 0 : 3);
        assertThat(consistency.path("figures").path("new-orders acknowledged").asLong())
                .isPositive();
        Markers.assertEveryFaultWasEffective(world.directory().resolve(out));
    }

    /** On small tables, with 4 threads. */
    private static List<String> arguments(String command, String binding, String mode) {
        Path workload = Path.of("..", "workloads", "tpcc").toAbsolutePath().normalize();
        return new ArrayList<>(List.of(
                command,
                binding,
                "-P",
                workload.toString(),
                "-p",
                "tpcc.mode=" + mode,
                "-p",
                "tpcc.warehouses=1",
                "-p",
                "tpcc.customers=10",
                "-p",
                "tpcc.items=100",
                "-threads",
                "4"));
    }

    private static JsonNode json(World world, String out, String file) throws IOException {
        return new ObjectMapper()
                .readTree(world.directory().resolve(out).resolve(file).toFile());
    }
}
