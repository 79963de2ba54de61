package dev.mooring.sandbox.kcp.claim;

import dev.mooring.sandbox.bound.BindingIndex;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.storage.WatchClosed;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the claim labels of every object in line that is written. Admission labels what it sees,
 * and a binding's reconciler what is there when the binding changes; a write that was admitted
 * before and is stored after, and what controllers write past admission, is left to this one.
 */
public final class ClaimLabelController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimLabelController.class);
  private static final Duration POLL = Duration.ofHours(1);

  private final ResourceStore store;
  private final ClaimLabels labels;
  private final BindingIndex bindings;
  private Thread thread;

  public ClaimLabelController(ResourceStore store, ClaimLabels labels, BindingIndex bindings) {
    this.store = store;
    this.labels = labels;
    this.bindings = bindings;
  }

  public void start() {
    thread = Thread.ofVirtual().name("claim-labels").start(this::run);
  }

  private void run() {
    boolean behind = false;
    while (!Thread.currentThread().isInterrupted()) {
      try (StoreWatch watch = store.watchAll()) {
        if (behind) {
          store.resourceKeys().forEach(this::lookAtAll);
        }
        while (true) {
          watch.next(POLL).ifPresent(this::look);
        }
      } catch (WatchClosed fellBehind) {
        behind = true;
        LOG.debug("all objects are looked at again: {}", fellBehind.getMessage());
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void lookAtAll(ResourceKey resourceKey) {
    store.list(ListScope.everywhere(resourceKey)).items().forEach(this::look);
  }

  private void look(StoreEvent event) {
    if (!(event instanceof StoreEvent.Deleted)) {
      look(event.object());
    }
  }

  private void look(StoredObject object) {
    try {
      labels.relabel(object, bindings.of(object.key().cluster()).bindings());
    } catch (RuntimeException unexpected) {
      LOG.warn("the claim labels of {} may be wrong", object.key(), unexpected);
    }
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
