package dev.mooring.syncagent.related.resolve;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/**
 * A primary on both sides.
 *
 * @param onService empty before the copy is made and after it is gone
 * @param path of the workspace, where asked for
 */
public record Primary(
    ObjectKey key, KubeObject inKcp, Optional<KubeObject> onService, Optional<String> path) {}
