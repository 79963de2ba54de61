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
 * Corrects the claim labels of every written object. Admission labels what it admits, and the
 * binding's reconciler labels existing objects; this controller labels objects that were admitted
 * before a binding changed and stored after, and those that controllers write past admission.
 */
public final class ClaimLabelController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimLabelController.class);
  private static final Duration POLL = Duration.ofHours(1);

  private final ResourceStore store;
  private final ClaimLabels labels;
  private final BindingIndex bindings;
  private final Thread thread;

  public ClaimLabelController(ResourceStore store, ClaimLabels labels, BindingIndex bindings) {
    this.store = store;
    this.labels = labels;
    this.bindings = bindings;
    this.thread = Thread.ofVirtual().name("claim-labels").unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    boolean behind = false;
    while (!Thread.currentThread().isInterrupted()) {
      try (StoreWatch watch = store.watchAll()) {
        if (behind) {
          store.resourceKeys().forEach(this::relabelAll);
        }
        while (true) {
          watch.next(POLL).ifPresent(this::relabel);
        }
      } catch (WatchClosed fellBehind) {
        behind = true;
        LOG.debug("Relabelling all objects: {}", fellBehind.getMessage());
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void relabelAll(ResourceKey resourceKey) {
    store.list(ListScope.everywhere(resourceKey)).items().forEach(this::relabel);
  }

  private void relabel(StoreEvent event) {
    if (!(event instanceof StoreEvent.Deleted)) {
      relabel(event.object());
    }
  }

  private void relabel(StoredObject object) {
    try {
      labels.correct(object, bindings.of(object.key().cluster()).bindings());
    } catch (RuntimeException unexpected) {
      LOG.warn("Cannot correct the claim labels of {}", object.key(), unexpected);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
