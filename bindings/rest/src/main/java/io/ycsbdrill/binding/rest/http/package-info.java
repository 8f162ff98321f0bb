/** The HTTP client of the binding: a connection for each thread, with HTTP/1.1. */
package io.ycsbdrill.binding.rest.http;
