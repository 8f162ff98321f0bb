package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.Containers;

class PodmanScriptIT extends ContainerScript {
    PodmanScriptIT() {
        super(Containers.Kind.PODMAN);
    }
}
