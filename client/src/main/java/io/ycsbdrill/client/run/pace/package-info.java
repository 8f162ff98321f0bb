/** Open-loop pacing: when each arrival of a schedule is due, and what becomes of late ones. */
package io.ycsbdrill.client.run.pace;
