/** The binding {@code rest}: one HTTP client for all servers, and a {@link io.ycsbdrill.binding.rest.dialect.Dialect} for each kind. */
package io.ycsbdrill.binding.rest;
