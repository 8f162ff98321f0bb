/** Suites: the experiments of a published benchmark in one file, for an engine and at a scale; values only. */
package io.ycsbdrill.experiment.suite;
