/** The command line: options to a checked specification, a cluster found or started for it, the run, its result. */
package io.ycsbdrill.client.cli;
