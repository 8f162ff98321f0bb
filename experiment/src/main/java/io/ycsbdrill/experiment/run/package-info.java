/** Plans an experiment and runs its cells, each as a command in a process of its own. */
package io.ycsbdrill.experiment.run;
