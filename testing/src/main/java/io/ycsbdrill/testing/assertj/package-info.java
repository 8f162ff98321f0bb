/** Assertions on the result of a drill; needs AssertJ 3. */
package io.ycsbdrill.testing.assertj;
