package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.Containers;
import org.junit.jupiter.api.Tag;

/** With a daemon of the test's own. */
@Tag("soak")
class DockerScriptIT extends ContainerScript {
    DockerScriptIT() {
        super(Containers.Kind.DOCKER);
    }
}
