package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import java.util.List;

/** A Shard is reached at its base URL unless it says otherwise. */
public final class ShardAdmission implements ResourceAdmission {
  @Override
  public KubeObject mutated(AdmissionRequest request, KubeObject object) {
    KubeObject filled = object;
    String base = object.text("spec", "baseURL");
    for (String field : List.of("externalURL", "virtualWorkspaceURL")) {
      if (!base.isEmpty() && object.text("spec", field).isEmpty()) {
        filled = filled.with(base, "spec", field);
      }
    }
    return filled;
  }
}
