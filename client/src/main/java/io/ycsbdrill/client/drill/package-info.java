/** The drill that accompanies a run: joins the client loop and the fault injector. */
package io.ycsbdrill.client.drill;
