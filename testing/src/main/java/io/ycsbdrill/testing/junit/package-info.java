/** A cluster with the lifetime of a JUnit test class or of the whole test run; needs {@code junit-jupiter-api} 5.8 or newer. */
package io.ycsbdrill.testing.junit;
