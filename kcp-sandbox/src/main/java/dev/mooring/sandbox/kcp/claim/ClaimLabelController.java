package dev.mooring.sandbox.kcp.claim;

import dev.mooring.sandbox.controller.Informer;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;

/**
 * Corrects the claim labels of every object. Admission labels what it admits, and the binding's
 * reconciler labels existing objects; this controller labels objects that were admitted before a
 * binding changed and stored after, and those that controllers write past admission.
 */
public record ClaimLabelController(ClaimLabels labels, BindingIndex bindings) {
  /** Closing the answer stops it. */
  public Informer start(ResourceStore store) {
    return Informer.start("claim-labels", store, ResourceKey.EVERYTHING, this::relabel);
  }

  private void relabel(StoreEvent event) {
    if (!(event instanceof StoreEvent.Deleted)) {
      StoredObject object = event.object();
      labels.correct(object, bindings.of(object.key().cluster()).bindings());
    }
  }
}
