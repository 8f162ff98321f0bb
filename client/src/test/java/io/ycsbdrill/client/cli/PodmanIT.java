package io.ycsbdrill.client.cli;

import io.ycsbdrill.fault.host.Containers;

/** Containers of Podman's, with a bridge of the plug-ins in {@code containernetworking-plugins}; set {@code GALERA_HOME} to run it. */
class PodmanIT extends ContainerDrills {
    PodmanIT() {
        super(Containers.Kind.PODMAN);
    }
}
