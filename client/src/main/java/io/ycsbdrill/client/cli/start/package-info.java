/** What somebody needs before a first drill: the drills that are there, what one would do, files to begin with. */
package io.ycsbdrill.client.cli.start;
