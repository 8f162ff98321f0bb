/** The client loop, the run directory and the command line. */
package io.ycsbdrill.client;
