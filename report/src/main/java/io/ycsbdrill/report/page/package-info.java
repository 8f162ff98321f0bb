/** Figures and data as pages, charts, text and XML. */
package io.ycsbdrill.report.page;
