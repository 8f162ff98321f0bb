/** Figures of a drill, from a run's data. */
package io.ycsbdrill.report.metric;
