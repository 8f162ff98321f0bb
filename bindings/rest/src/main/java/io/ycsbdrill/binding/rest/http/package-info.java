/** The HTTP client of the binding: connections of a thread's own and shared ones, HTTP/1.1 and HTTP/2. */
package io.ycsbdrill.binding.rest.http;
