/**
 * Network faults: a TCP proxy before each server, which cuts, resets, delays, throttles or swallows what clients and server
 * send to each other. {@link io.ycsbdrill.fault.net.FaultProxy} is usable alone, before any TCP server.
 */
package io.ycsbdrill.fault.net;
