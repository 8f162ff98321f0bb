/** What a drill comes to: its limits, verdict and cautions, and its figures as text and as JSON. */
package io.ycsbdrill.report.summary;
