/** The files of a run directory: their names, the columns of their tables, and one codec for writing and reading each. */
package io.ycsbdrill.rundir;
