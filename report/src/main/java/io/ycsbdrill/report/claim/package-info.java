/** What a source claims, and whether a measurement reproduces it; values and pure functions. */
package io.ycsbdrill.report.claim;
