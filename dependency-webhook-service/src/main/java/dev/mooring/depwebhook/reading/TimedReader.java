package dev.mooring.depwebhook.reading;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * Reads for one review: each ends with the review's deadline, and after it none is begun. A scan
 * does not, because reviews share it: {@link JoinedScans} ends each one's wait. Thread-safe.
 */
public final class TimedReader implements KubeReader {
  private final KubeReader direct;
  private final Deadline deadline;

  public TimedReader(KubeReader direct, Deadline deadline) {
    this.direct = direct;
    this.deadline = deadline;
  }

  @Override
  public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
    return read(type.resource() + " " + name, () -> direct.find(type, namespace, name));
  }

  @Override
  public KubeList list(ResourceType type, ListQuery query) {
    return read(type.resource(), () -> direct.list(type, query));
  }

  @Override
  public Optional<ListEnd> scan(
      ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
    return direct.scan(type, query, keep, each);
  }

  @Override
  public KubeObject document(String path) {
    return read(path, () -> direct.document(path));
  }

  private <T> T read(String what, Callable<T> read) {
    deadline.requireTime();
    return PendingRead.begin("GET " + what, read).result(deadline);
  }
}
