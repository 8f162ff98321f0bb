/** A TPC-C-like workload on keys and values, without transactions, in those of the engine, or in two-phase commits of the client. */
package io.ycsbdrill.workload.tpcc;
