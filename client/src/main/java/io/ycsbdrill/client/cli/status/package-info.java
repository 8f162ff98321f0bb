/** What the terminal shows of a run: the status line while it is under way, and its result. */
package io.ycsbdrill.client.cli.status;
