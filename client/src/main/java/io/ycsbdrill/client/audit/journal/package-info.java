/** Which write was sent when, and what became of it, on disk: appended while the run goes on, read when it is over. */
package io.ycsbdrill.client.audit.journal;
