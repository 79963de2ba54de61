package dev.mooring.runtime.client;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reads of one cluster: a plain API server, one logical cluster, or a virtual workspace. Every
 * failure is a {@link KubeFailure}; a failed read is never absence. Blocking, meant for virtual
 * threads; thread-safe.
 */
public interface KubeReader {
  /**
   * The object as the server has it now.
   *
   * @param namespace empty for a cluster-scoped type
   * @return empty only if the server said that this very object does not exist; a type that is not
   *     served is a {@link KubeFailure} of kind {@link KubeFailure.Kind#NOT_SERVED}
   */
  Optional<KubeObject> find(ResourceType type, String namespace, String name);

  /**
   * One page of a list, in the server's order (namespace, then name).
   *
   * @return items carry {@code apiVersion} and {@code kind} even where the server leaves them out
   */
  KubeList list(ResourceType type, ListQuery query);

  /**
   * A list, or one page of it, object by object as it comes in, so that memory does not grow with
   * its size.
   *
   * @param keep what each object is to have; the rest may be left out
   * @param each is given the objects in the server's order, as they stand in the answer (see {@link
   *     ListEnd#identified}), also if the request fails later on, and says whether to read on; it
   *     holds up the answer while it works
   * @return empty if it was not read to its end
   */
  default Optional<ListEnd> scan(
      ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
    KubeList page = list(type, query);
    return page.items().stream().allMatch(each)
        ? Optional.of(new ListEnd(page.resourceVersion(), page.continueToken(), "", ""))
        : Optional.empty();
  }

  /**
   * Any JSON document below the cluster's URL, such as {@code apis/example.io/v1}; no leading
   * slash.
   */
  KubeObject document(String path);
}
