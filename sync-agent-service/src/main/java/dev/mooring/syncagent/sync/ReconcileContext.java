package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import java.util.Optional;

/** The consumer's object that a pass is about; {@code justWritten} if this very pass wrote it. */
record ReconcileContext(
    ObjectKey key, KubeObject source, KubeClient workspace, Optional<KubeObject> justWritten) {}
