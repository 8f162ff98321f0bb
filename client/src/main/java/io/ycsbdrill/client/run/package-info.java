/** One run: its specification, threads, pacing, recording and windows. */
package io.ycsbdrill.client.run;
