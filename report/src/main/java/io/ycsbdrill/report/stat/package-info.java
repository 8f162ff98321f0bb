/** What repeated runs allow one to say: intervals, paired ratios, noise floors, change points. Pure; docs/statistics.md has the sources. */
package io.ycsbdrill.report.stat;
