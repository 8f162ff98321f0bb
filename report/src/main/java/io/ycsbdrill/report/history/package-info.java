/** Many runs on one page: trends and regressions. */
package io.ycsbdrill.report.history;
