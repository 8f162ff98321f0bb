/** Writes the container image of a release: packages of Debian below, the archive above. Runs during the build, is not shipped. */
package io.ycsbdrill.distribution;
