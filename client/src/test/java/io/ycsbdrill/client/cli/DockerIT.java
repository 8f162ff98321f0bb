package io.ycsbdrill.client.cli;

import io.ycsbdrill.fault.host.Containers;
import org.junit.jupiter.api.Tag;

/** Containers of a Docker daemon of the test's own; set {@code GALERA_HOME} to run it. */
@Tag("soak")
class DockerIT extends ContainerDrills {
    DockerIT() {
        super(Containers.Kind.DOCKER);
    }
}
