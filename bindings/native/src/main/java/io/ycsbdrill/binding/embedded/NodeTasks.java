package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.FieldCodec;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.embedded.ClusterLinks.Choice;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.compute.ComputeTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** The binding's own code on nodes, and what it answers. */
final class NodeTasks {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTasks.class);

    private NodeTasks() {}

    /** Runs a task on the node. The time limit is set here, as the client itself has none for tasks. */
    static <T, R> R execute(
            Choice choice, EmbeddedSettings settings, Class<? extends ComputeTask<T, R>> task, T argument) {
        try {
            return choice.connection()
                    .client()
                    .compute()
                    .<T, R>executeAsync2(task.getName(), argument)
                    .get(settings.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new ClientException(ClientFailures.cause(e), e);
        }
    }

    /**
     * What a node has said of its own copy of a row.
     *
     * @param row as {@link LocalCopyTask} answers it
     */
    static Status copy(byte[] row, Set<String> fields, Map<String, ByteIterator> result) {
        if (row == null) {
            return Statuses.NOT_HELD;
        }
        if (row.length == 0) {
            return Status.NOT_FOUND;
        }
        try {
            FieldCodec.decode(row, fields, result);
            return Status.OK;
        } catch (RuntimeException e) {
            LOG.debug("a copy cannot be decoded", e);
            return Statuses.FAILED;
        }
    }
}
