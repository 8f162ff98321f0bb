/** The cluster that a run talks to: found, started, or reached through its own management interface. */
package io.ycsbdrill.client.cluster;
