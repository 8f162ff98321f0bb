/** Figures of a drill and their verdict, from a run's data. */
package io.ycsbdrill.report.metric;
