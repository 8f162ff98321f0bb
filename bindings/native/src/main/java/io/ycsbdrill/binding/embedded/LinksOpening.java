package io.ycsbdrill.binding.embedded;

import java.lang.reflect.InaccessibleObjectException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.IgniteClient;
import site.ycsb.DBException;

/** What is done once, when the connections to an embedded cluster are opened. */
final class LinksOpening {
    private LinksOpening() {}

    /**
     * Connects to each node whose link is due.
     *
     * @throws DBException when none can be reached, or this JVM keeps from Ignite's client what it needs
     */
    static void connect(EmbeddedSettings settings, List<NodeLink> links) throws DBException {
        RuntimeException last = null;
        for (NodeLink link : links) {
            try {
                if (link.due(System.nanoTime())) {
                    link.connect(settings);
                }
            } catch (RuntimeException e) {
                last = e;
            } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
                throw closedModules(e);
            }
            if (last instanceof InaccessibleObjectException) {
                throw closedModules(last);
            }
        }
        if (links.stream().allMatch(link -> link.connection() == null)) {
            throw new DBException(
                    "no node of the embedded cluster answers at " + String.join(",", settings.endpoints()) + " ("
                            + (last == null ? "no attempt" : ClientFailures.cause(last))
                            + "); is it up? `cluster status` shows it, `cluster up` starts one",
                    last);
        }
    }

    private static DBException closedModules(Throwable e) {
        return new DBException(
                "Ignite's client cannot work in this JVM: it needs --add-opens=java.base/java.nio=ALL-UNNAMED"
                        + " --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
                        + " --add-opens=java.base/java.io=ALL-UNNAMED on the java command line (bin/ycsb gives them)",
                e);
    }

    /**
     * Makes the table of the settings if it is not there.
     *
     * @throws DBException when it is there without the transactions of the settings
     */
    static void makeTable(EmbeddedSettings settings, IgniteClient client) throws DBException {
        if (settings.transactions() == EmbeddedSettings.TransactionKind.NONE) {
            client.getOrCreateCache(settings.table());
            return;
        }
        boolean transactional;
        try {
            transactional = client.compute()
                    .<String, Boolean>executeAsync2(TransactionalTableTask.class.getName(), settings.table())
                    .get(settings.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DBException("interrupted while table " + settings.table() + " was being made", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new ClientException(ClientFailures.cause(e), e);
        }
        if (!transactional) {
            throw new DBException(
                    "table " + settings.table() + " was made without transactions, and embedded.transactions="
                            + settings.transactions().name().toLowerCase(Locale.ROOT)
                            + "; use another -p table, or embedded.transactions=none");
        }
    }
}
