package dev.mooring.sandbox.kcp.claim;

import dev.mooring.sandbox.controller.StoreFollower;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Corrects the claim labels of every object. Admission labels what it admits, and the binding's
 * reconciler labels existing objects; this controller labels objects that were admitted before a
 * binding changed and stored after, and those that controllers write past admission.
 */
public record ClaimLabelController(ClaimLabels labels, BindingIndex bindings) {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimLabelController.class);

  /** Closing the answer stops it. */
  public StoreFollower start(ResourceStore store) {
    return StoreFollower.start("claim-labels", store, this::relabel);
  }

  private void relabel(StoreEvent event) {
    if (event instanceof StoreEvent.Deleted) {
      return;
    }
    StoredObject object = event.object();
    try {
      labels.correct(object, bindings.of(object.key().cluster()).bindings());
    } catch (RuntimeException unexpected) {
      LOG.warn("Cannot correct the claim labels of {}", object.key(), unexpected);
    }
  }
}
