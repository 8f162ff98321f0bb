/** One run: threads, pacing, recording, windows and the run directory. */
package io.ycsbdrill.client.run;
