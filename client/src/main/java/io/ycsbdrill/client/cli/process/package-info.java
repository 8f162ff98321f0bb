/** The process of a command: signals, the end that they ask for, and the command that starts this JVM again. */
package io.ycsbdrill.client.cli.process;
