package io.ycsbdrill.client.session;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.key.ClientShare;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import site.ycsb.Client;
import site.ycsb.workloads.CoreWorkload;

/** Derives the properties of one client from those of the run of all clients. */
public final class ShareCalculator {
    private final String option;
    private final ClientShare part;
    private final Properties properties;
    private final Problems problems;

    /** @param option as typed, for messages */
    private ShareCalculator(String option, ClientShare part, Properties properties, Problems problems) {
        this.option = option;
        this.part = part;
        this.properties = properties;
        this.problems = problems;
    }

    /**
     * Cuts {@code operationcount} and, in a load, the range of keys.
     *
     * @param text as typed; null when this is the only client
     * @param problems notified of everything that several clients cannot do
     */
    public static ClientShare of(String text, Mode mode, Properties properties, Problems problems) {
        if (text == null) {
            return ClientShare.WHOLE;
        }
        ClientShare part;
        try {
            part = ClientShare.parse(text);
        } catch (IllegalArgumentException e) {
            problems.add("--client: " + e.getMessage());
            return ClientShare.WHOLE;
        }
        if (part.isShare()) {
            new ShareCalculator("--client " + part, part, properties, problems).cut(mode);
        }
        return part;
    }

    /** As {@link #of} for {@code --clients}, without a change of the properties: the last client has the smallest share. */
    public static void check(int clients, Mode mode, Properties properties, Problems problems) {
        new ShareCalculator("--clients " + clients, new ClientShare(clients, clients), copy(properties), problems)
                .cut(mode);
    }

    /** Each client's run of this one: its share, its directory in that of all, a seed of its own. What a drill adds is only of the first. */
    public static List<RunSpec> of(RunSpec all, int clients) {
        return IntStream.rangeClosed(1, clients)
                .mapToObj(number -> share(all, new ClientShare(number, clients)))
                .toList();
    }

    private static RunSpec share(RunSpec all, ClientShare part) {
        Properties cut = copy(all.properties());
        cut.remove(Client.EXPORT_FILE_PROPERTY);
        new ShareCalculator("--clients " + part.of(), part, cut, new Problems()).cut(all.mode());
        RunSpec.Builder client = all.toBuilder()
                .properties(cut)
                .operations(part.share(all.operations()))
                .seed(all.seed() + part.number() - 1)
                .out(all.out().resolve("client-" + part.number()))
                .part(part);
        return (part.number() == 1 ? client : client.withoutExtra()).build();
    }

    private static Properties copy(Properties properties) {
        Properties copy = new Properties();
        copy.putAll(properties);
        return copy;
    }

    private void cut(Mode mode) {
        for (String given : new String[] {"insertstart", "insertcount"}) {
            if (properties.containsKey(given)) {
                problems.add(option + " and " + given + "=" + properties.getProperty(given)
                        + " exclude each other: the keys are shared out by the number of the client; leave out "
                        + given);
                return;
            }
        }
        String workload = properties.getProperty("workload", CoreWorkload.class.getName());
        if (!workload.equals(CoreWorkload.class.getName())) {
            problems.add(option + ": workload=" + workload + " may insert any keys, so those of several clients"
                    + " could meet; only " + CoreWorkload.class.getName() + " can be shared out");
        }
        cut("operationcount");
        if (mode == Mode.LOAD) {
            long records = number("recordcount");
            properties.setProperty("insertstart", Long.toString(part.first(records)));
            properties.setProperty("insertcount", Long.toString(records));
            cut("insertcount");
        }
    }

    private void cut(String count) {
        long all = number(count);
        if (all > 0) {
            properties.setProperty(count, Long.toString(part.share(all)));
            if (part.share(all) == 0) {
                problems.add(option + ": " + count + "=" + all + " is too small for " + part.of()
                        + " clients; give fewer clients or a larger "
                        + (count.equals("insertcount") ? "recordcount" : count));
            }
        }
    }

    /** 0 when it is absent or wrong, which is said where it is read. */
    private long number(String key) {
        return new PropertyReader(properties, new Problems()).whole(key, 0, 0, Long.MAX_VALUE);
    }
}
