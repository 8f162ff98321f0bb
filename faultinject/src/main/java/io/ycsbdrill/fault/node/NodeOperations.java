package io.ycsbdrill.fault.node;

/** Everything that can be done to a node whose process we run. */
public interface NodeOperations extends Killable, Stoppable, Startable, Initialisable, Pausable {}
