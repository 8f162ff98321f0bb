package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.host.Host;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A host on which clients are started. Immutable.
 *
 * @param id unique in the inventory
 * @param host where
 * @param directory for what is sent there and for the run directories; a whole path
 * @param java the program that runs the client
 * @param installed folder of an installation there, for example of an image; empty when ycsb-drill is sent there
 * @param jvmArguments options for the client's JVM, in place of those of this one
 * @param properties that are different there, such as where an installation is
 * @param labels of the user's
 */
public record ClientHost(
        String id,
        Host host,
        String directory,
        String java,
        Optional<String> installed,
        List<String> jvmArguments,
        Map<String, String> properties,
        Map<String, String> labels) {
    public ClientHost {
        jvmArguments = List.copyOf(jvmArguments);
        properties = Map.copyOf(properties);
        labels = Map.copyOf(labels);
    }
}
