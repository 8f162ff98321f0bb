/** The files of one run as its loop writes them: the directory, windows, totals, markers, and the stock client's result. */
package io.ycsbdrill.client.run.file;
