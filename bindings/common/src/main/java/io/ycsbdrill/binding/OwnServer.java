package io.ycsbdrill.binding;

/**
 * A binding ({@link site.ycsb.DB}) whose threads each have a server of their own, to which they stay connected. Told which thread it
 * serves, it chooses the same server in every run; without that, in the order in which the instances are initialised, of which some may
 * not belong to the workload. Like the binding itself an instance is used by one thread at a time.
 */
public interface OwnServer {

    /**
     * Called at most once, before {@link site.ycsb.DB#init()}.
     *
     * @param number of the thread among all threads of all clients, from 0; thread {@code n} belongs to server {@code n} modulo the
     *     number of servers
     */
    void thread(int number);
}
