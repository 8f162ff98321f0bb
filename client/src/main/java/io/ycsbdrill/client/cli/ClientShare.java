package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.run.Part;
import io.ycsbdrill.client.run.RunSpec.Mode;
import java.util.Properties;
import site.ycsb.workloads.CoreWorkload;

/** Makes of the properties of a whole those of one of its clients. */
final class ClientShare {
    private final Part part;
    private final Properties properties;
    private final Problems problems;

    private ClientShare(Part part, Properties properties, Problems problems) {
        this.part = part;
        this.properties = properties;
        this.problems = problems;
    }

    /**
     * Cuts {@code operationcount} and, in a load, the range of keys.
     *
     * @param text as typed; null when this is the only client
     * @param problems told everything that several clients cannot do
     */
    static Part of(String text, Mode mode, Properties properties, Problems problems) {
        if (text == null) {
            return Part.WHOLE;
        }
        Part part;
        try {
            part = Part.parse(text);
        } catch (IllegalArgumentException e) {
            problems.add("--client: " + e.getMessage());
            return Part.WHOLE;
        }
        if (part.isShare()) {
            new ClientShare(part, properties, problems).cut(mode);
        }
        return part;
    }

    private void cut(Mode mode) {
        for (String given : new String[] {"insertstart", "insertcount"}) {
            if (properties.containsKey(given)) {
                problems.add("--client " + part + " and " + given + "=" + properties.getProperty(given)
                        + " exclude each other: the keys are shared out by the number of the client; leave out "
                        + given);
                return;
            }
        }
        String workload = properties.getProperty("workload", CoreWorkload.class.getName());
        if (!workload.equals(CoreWorkload.class.getName())) {
            problems.add(
                    "--client " + part + ": workload=" + workload + " may insert any keys, so those of several clients"
                            + " could meet; only " + CoreWorkload.class.getName() + " can be shared out");
        }
        cut("operationcount");
        if (mode == Mode.LOAD) {
            long records = number("recordcount");
            properties.setProperty("insertstart", Long.toString(part.first(records)));
            properties.setProperty("insertcount", Long.toString(records));
            cut("insertcount");
        } else if (inserts()
                && properties.getProperty("requestdistribution", "").equals("exponential")) {
            problems.add("--client " + part + ": requestdistribution=exponential with inserts would read the keys of"
                    + " other clients; use latest, zipfian or uniform");
        }
    }

    private void cut(String count) {
        long all = number(count);
        if (all > 0) {
            properties.setProperty(count, Long.toString(part.share(all)));
            if (part.share(all) == 0) {
                problems.add("--client " + part + ": " + count + "=" + all + " is too little for " + part.of()
                        + " clients; give fewer clients or a larger "
                        + (count.equals("insertcount") ? "recordcount" : count));
            }
        }
    }

    /** 0 when it is absent or wrong, which is said where it is read. */
    private long number(String key) {
        return new PropertyReader(properties, new Problems()).whole(key, 0, 0, Long.MAX_VALUE);
    }

    private boolean inserts() {
        return new PropertyReader(properties, new Problems()).number("insertproportion", 0, 0, 1) > 0;
    }
}
