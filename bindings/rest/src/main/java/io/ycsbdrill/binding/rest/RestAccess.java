package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.rest.dialect.HarperDbDialect;
import io.ycsbdrill.binding.rest.http.Endpoint;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import site.ycsb.DBException;

/**
 * How the servers of the properties are reached, for others that ask the same servers. Its text has no secrets.
 *
 * @param dialect the name of the dialect, in lower case
 * @param endpoints as given, one or more
 * @param operations where HarperDB's operations API is, one for each endpoint; empty for other dialects
 * @param headers that identify the user, by name
 * @param verify whether a server must prove its name by a certificate
 * @param authority a PEM file with the certificates to trust; empty for Java's own
 */
public record RestAccess(
        String dialect,
        List<String> endpoints,
        List<String> operations,
        Map<String, String> headers,
        boolean verify,
        Optional<String> authority) {

    public RestAccess {
        endpoints = List.copyOf(endpoints);
        operations = List.copyOf(operations);
        headers = Map.copyOf(headers);
    }

    /**
     * Reads all properties of the binding.
     *
     * @param environment where the variables that hold secrets are looked up
     * @throws DBException naming every invalid property
     */
    public static RestAccess of(Properties properties, Map<String, String> environment) throws DBException {
        RestSettings settings = RestSettings.of(properties, environment);
        Map<String, String> headers = new TreeMap<>();
        settings.http().credentials().forEach((name, secret) -> headers.put(name, secret.text()));
        return new RestAccess(
                properties.getProperty("rest.dialect", "").strip().toLowerCase(Locale.ROOT),
                settings.http().endpoints().stream().map(Endpoint::toString).toList(),
                settings.dialect() instanceof HarperDbDialect harper
                        ? settings.http().endpoints().stream()
                                .map(harper::operations)
                                .toList()
                        : List.of(),
                headers,
                settings.http().verify(),
                settings.http().authority());
    }

    @Override
    public String toString() {
        return dialect + " at " + String.join(",", endpoints);
    }
}
