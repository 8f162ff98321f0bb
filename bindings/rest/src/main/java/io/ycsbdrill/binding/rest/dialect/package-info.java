/** One request dialect per server. */
package io.ycsbdrill.binding.rest.dialect;
