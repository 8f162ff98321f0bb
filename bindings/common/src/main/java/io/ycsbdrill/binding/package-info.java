/** What all bindings share: typed properties, outcomes and the field codec. Knows neither the client nor the injector. */
package io.ycsbdrill.binding;
