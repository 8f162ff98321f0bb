/** Several clients' run directories become one: totals exactly, windows on a common grid. */
package io.ycsbdrill.client.merge;
