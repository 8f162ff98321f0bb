/** What comes before the client loop: workload files, shares of several clients, and the load of an empty table. */
package io.ycsbdrill.client.session;
