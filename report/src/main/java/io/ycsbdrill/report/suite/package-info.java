/** The results of a suite: claims of all its experiments beside what was measured; made from files. */
package io.ycsbdrill.report.suite;
