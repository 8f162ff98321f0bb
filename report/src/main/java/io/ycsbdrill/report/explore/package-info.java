/** The page of an exploration: what was drawn, what it found, what it covered. */
package io.ycsbdrill.report.explore;
