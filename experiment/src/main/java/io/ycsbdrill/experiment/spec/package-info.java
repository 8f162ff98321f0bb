/** What an experiment is: axes, settings, repeats and rules, read from a YAML file; values only. */
package io.ycsbdrill.experiment.spec;
