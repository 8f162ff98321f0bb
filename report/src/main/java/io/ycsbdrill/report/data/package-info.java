/** A run directory as read from its files. */
package io.ycsbdrill.report.data;
