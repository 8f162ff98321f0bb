/** Recovery tracker: (time, observation) to phase changes. Pure and replayable. */
package io.ycsbdrill.fault.recovery;
