package io.ycsbdrill.client.run;

import site.ycsb.DB;

/** Makes and initialises the binding of one thread. */
interface BindingFactory {
    /** A new binding, with its properties set, not initialised. */
    DB make(String bindingClass) throws Exception;

    /** How many threads the clients before this one have in all: 0 for the first client. */
    int firstThread();

    /** What the workload keeps for this thread. */
    Object workloadState(int thread, int threads) throws Exception;
}
