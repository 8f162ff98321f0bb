/** A run directory in; tables, charts and HTML out. Sees files only. */
package io.ycsbdrill.report;
