package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.schedule.ServedSecond;
import java.time.Duration;
import java.util.List;

/** What the clients see of the service, for the steady-state gate. Called on the thread {@code fault-injector}. */
@FunctionalInterface
public interface ServiceSource {

    /** The newest complete seconds, oldest first, at most {@code length} of them. */
    List<ServedSecond> recentSeconds(Duration length);
}
