/** The directory of an experiment as read from its files: figures of its cells, comparisons, tables and pages. */
package io.ycsbdrill.report.experiment;
