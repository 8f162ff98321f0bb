package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.NanoClock;

/** The contract holds for the fake that other tests rely on. */
class FakeNodeControllerTest extends NodeControllerContract {
    private final FakeNodeController controller = new FakeNodeController(NanoClock.SYSTEM, 4);

    @Override
    protected NodeController controller() {
        return controller;
    }
}
