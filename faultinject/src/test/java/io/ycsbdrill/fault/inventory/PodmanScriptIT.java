package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.Containers;
import org.junit.jupiter.api.Tag;

/** PodmanIT goes the same ways with a real server. */
@Tag("soak")
class PodmanScriptIT extends ContainerScript {
    PodmanScriptIT() {
        super(Containers.Kind.PODMAN);
    }
}
