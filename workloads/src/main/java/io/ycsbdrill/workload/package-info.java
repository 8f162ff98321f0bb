/** What a workload may ask of the client beyond {@code site.ycsb.Workload}; each is an interface that nobody has to implement. */
package io.ycsbdrill.workload;
