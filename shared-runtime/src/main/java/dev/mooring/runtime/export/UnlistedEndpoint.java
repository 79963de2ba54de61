package dev.mooring.runtime.export;

import dev.mooring.model.identity.ObjectKey;
import java.util.Collection;
import java.util.HashSet;

/**
 * Decides when an endpoint of an APIExport's virtual workspace may be left that no
 * APIExportEndpointSlice lists any more. kcp makes a deleted slice again, and each shard enters its
 * own URL some time later, so a missing URL does not mean that the shard has no consumers.
 */
public final class UnlistedEndpoint {
  private UnlistedEndpoint() {}

  /**
   * What one endpoint shows.
   *
   * @param bindingsListed whether all its APIBindings were listed once
   * @param everythingListed whether all its objects of every followed type were
   * @param bindings keys of its APIBindings as last seen
   */
  public record View(
      boolean bindingsListed, boolean everythingListed, Collection<ObjectKey> bindings) {}

  /**
   * Whether every workspace that binds the export at the endpoint is shown at a listed endpoint as
   * well; also if no workspace does.
   */
  public static boolean isDispensable(View unlisted, Collection<View> listed) {
    var shown = new HashSet<ObjectKey>();
    listed.stream().filter(View::everythingListed).forEach(view -> shown.addAll(view.bindings()));
    return unlisted.bindingsListed() && shown.containsAll(unlisted.bindings());
  }
}
