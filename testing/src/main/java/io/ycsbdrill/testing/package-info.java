/** Drills inside of other people's tests, as a plain Java API; needs neither JUnit nor AssertJ. Begin with {@link io.ycsbdrill.testing.DrillCluster}. */
package io.ycsbdrill.testing;
