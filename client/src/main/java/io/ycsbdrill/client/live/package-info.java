/** The live page of a run and its metrics, over HTTP. Reads what the run records; the client threads know nothing of it. */
package io.ycsbdrill.client.live;
