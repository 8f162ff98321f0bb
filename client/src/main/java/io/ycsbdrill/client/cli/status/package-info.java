/** The status line on the terminal while a run is under way. */
package io.ycsbdrill.client.cli.status;
