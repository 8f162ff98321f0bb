package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeIo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How bindings find an embedded cluster: by the addresses of its members. */
final class EmbeddedDescriptor {
    private EmbeddedDescriptor() {}

    /** @param version of Ignite, as its nodes have said it; {@code unknown} before */
    static ClusterDescriptor of(Path directory, ClusterSettings settings, List<String> members, String version) {
        return new ClusterDescriptor(
                EmbeddedEngine.NAME,
                directory,
                created(directory),
                version,
                Map.of(
                        "native",
                        Map.of("embedded.endpoints", endpoints(members, node -> settings.endpoint(directory, node))),
                        "rest",
                        Map.of(
                                "rest.dialect",
                                "ignite",
                                "rest.endpoints",
                                endpoints(members, node -> settings.httpEndpoint(directory, node)))),
                Map.of("id", settings.id()));
    }

    private static String endpoints(List<String> members, Function<String, String> of) {
        return members.stream().map(of).collect(Collectors.joining(","));
    }

    private static Instant created(Path directory) {
        return NodeIo.get("no embedded cluster is left in " + directory, () -> Files.getLastModifiedTime(
                        directory.resolve(ClusterSettings.FILE))
                .toInstant());
    }
}
