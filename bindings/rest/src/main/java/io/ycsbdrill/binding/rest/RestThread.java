package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Endpoint;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Link;
import io.ycsbdrill.binding.rest.http.LinkFailure;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.ServerTimes;
import io.ycsbdrill.binding.servers.HomeThread;
import io.ycsbdrill.binding.servers.Servers;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import site.ycsb.Status;

/** One thread's access to the servers: its connection, and the requests on it. Owned by one thread. */
final class RestThread extends HomeThread<Endpoint, Link> {
    private final Servers<Endpoint> servers;
    private final Exchange exchange;
    private final ServerTimes times = new ServerTimes();

    RestThread(RestServers servers, OptionalInt number) {
        super(servers.all(), number, servers::open);
        this.servers = servers.all();
        this.exchange = servers.exchange();
    }

    /** An operation; returns its result, or that of each of its rows. */
    interface Work<R> {
        R ask(Exchange http) throws IOException;
    }

    /**
     * Runs the operation once. After a failure of the server it may wait before it returns.
     *
     * @param operation in upper case
     * @param fromStatus creates a result from a status, when there was no reply that could be understood
     */
    <R> R run(String operation, boolean write, Function<Status, R> fromStatus, Work<R> work) {
        Optional<Link> connected = link();
        if (connected.isEmpty()) {
            return fromStatus.apply(Statuses.UNAVAILABLE);
        }
        Link link = connected.get();
        try {
            R result = work.ask(exchange.on(link));
            judge(operation);
            return result;
        } catch (LinkFailure e) {
            home.lost();
            link.close();
            return failed(operation, e.kind().toString(), e, fromStatus, lost(e, write));
        } catch (IOException | RuntimeException e) {
            return failed(
                    operation, e.getClass().getName(), e, fromStatus, open(write) ? Statuses.UNKNOWN : Statuses.FAILED);
        }
    }

    /**
     * Sends a request that is not an operation of the workload.
     *
     * @throws IOException when there is no answer that can be understood
     */
    <R> R ask(Work<R> work) throws IOException {
        return work.ask(exchange.on(link().orElseThrow(() -> new IOException("no server can be reached"))));
    }

    /** A connection that ended while it was not in use is replaced, before anything is sent. */
    private Optional<Link> link() {
        Optional<Link> link = home.link();
        if (link.isPresent() && !link.get().usable()) {
            home.ended();
            link.get().close();
            link = home.link();
        }
        return link;
    }

    private void judge(String operation) {
        Reply reply = exchange.last();
        if (reply == null || reply.code() < 500 && reply.code() != 429) {
            home.worked();
        } else {
            servers.report("HTTP " + reply.code(), operation, reply.line());
            home.failed();
        }
        times.add(operation, exchange.serverMillis());
    }

    private <R> R failed(String operation, String kind, Exception e, Function<Status, R> fromStatus, Status status) {
        servers.report(kind, operation, Servers.line(e));
        home.failed();
        return fromStatus.apply(status);
    }

    /** Whether a change was requested, so that its result is unknown. */
    private boolean open(boolean write) {
        return write && exchange.changed();
    }

    private Status lost(LinkFailure failure, boolean write) {
        if (open(write)) {
            return Statuses.UNKNOWN;
        }
        return failure.kind() == LinkFailure.Kind.TIMED_OUT && !write ? Statuses.TIMEOUT : Statuses.UNAVAILABLE;
    }
}
