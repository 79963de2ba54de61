package dev.mooring.sandbox.strategy;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses objects that etcd would refuse: more than 1.5 MiB with what belongs to the request.
 * Measured on kcp 0.32.
 */
final class SizeLimit {
  /** etcd's {@code --max-request-bytes}. */
  static final int OBJECT_MAX = 1_572_864;

  /** The key and the rest of the transaction around an object, about. */
  private static final int ENVELOPE = 200;

  /** One character of a text takes six bytes of JSON at worst. */
  private static final int ESCAPE = 6;

  private SizeLimit() {}

  /** Throws {@link ApiFailure} 500, which has no reason, as the real one has none. */
  static void check(KubeObject stored) {
    if (atMost(stored.tree()) * ESCAPE < OBJECT_MAX) {
      return;
    }
    if (KubeJson.write(stored).length + ENVELOPE > OBJECT_MAX) {
      throw ApiFailure.of(500, "", "etcdserver: request is too large", null);
    }
  }

  /** In characters, without escapes; writing every object twice is expensive. */
  private static long atMost(@Nullable Object tree) {
    return switch (tree) {
      case String text -> text.length() + 3L;
      case Map<?, ?> map -> {
        long sum = 2;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          sum += atMost(entry.getKey()) + atMost(entry.getValue()) + 1;
        }
        yield sum;
      }
      case List<?> list -> {
        long sum = 2;
        for (Object item : list) {
          sum += atMost(item) + 1;
        }
        yield sum;
      }
      case null, default -> 26;
    };
  }
}
