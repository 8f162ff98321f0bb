/** The page of a run that is still under way. */
package io.ycsbdrill.report.live;
