package io.ycsbdrill.binding.rest.http;

import site.ycsb.measurements.Measurements;

/** Reports the processing time that a server gives as a series of its own. Owned by one thread. */
public final class ServerTimes {
    private Measurements measurements;
    private boolean nobodyListens;

    /**
     * One request's time, as the series {@code READ-SERVER} and so on.
     *
     * @param operation in upper case
     * @param millis negative when the server did not say
     */
    public void add(String operation, double millis) {
        if (millis < 0 || nobodyListens) {
            return;
        }
        if (measurements == null) {
            try {
                measurements = Measurements.getMeasurements();
            } catch (NullPointerException e) {
                // YCSB's way to say that its measurements were never set up: the binding is used without a client.
                nobodyListens = true;
                return;
            }
        }
        measurements.measure(operation + "-SERVER", (int) Math.min(Integer.MAX_VALUE, Math.round(millis * 1000)));
    }
}
