/** What happened in a drill, each at a moment of the run: the lines of {@code markers.jsonl}. Values only. */
package io.ycsbdrill.fault.marker;
