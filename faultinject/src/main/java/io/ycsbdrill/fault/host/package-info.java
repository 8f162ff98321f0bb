/** Machines, containers and pods on which programs are run: how a command line for each is built, and how files get there and back. */
package io.ycsbdrill.fault.host;
