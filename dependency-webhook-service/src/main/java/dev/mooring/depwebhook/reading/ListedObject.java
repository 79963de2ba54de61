package dev.mooring.depwebhook.reading;

import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.References;
import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * An object of a shared list. Callers that evaluate the object alike share one evaluation. Used by
 * the list's thread only.
 */
public final class ListedObject {
  private final KubeObject object;
  private final Map<Object, Object> results = new HashMap<>(4);

  public ListedObject(KubeObject object) {
    this.object = object;
  }

  public KubeObject object() {
    return object;
  }

  public References references(ReferenceReader reader) {
    return once(reader, () -> reader.read(object));
  }

  /**
   * The result of the first evaluation under this key.
   *
   * @param key equal for evaluations that have the same result
   */
  @SuppressWarnings("unchecked") // the type of a result is that of its key
  public <T> T once(Object key, Supplier<T> evaluation) {
    return (T) results.computeIfAbsent(key, _ -> evaluation.get());
  }
}
