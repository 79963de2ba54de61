package dev.mooring.sandbox.storage;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object as it will be read from its text: etcd, too, keeps 1.0 as 1. */
final class StorableForm {
  private StorableForm() {}

  /** The object itself, unless it has a number that its text does not give back. */
  static KubeObject of(KubeObject object) {
    return survives(object.tree()) ? object : KubeJson.readObject(KubeJson.write(object));
  }

  private static boolean survives(@Nullable Object value) {
    return switch (value) {
      case Double number -> number != Math.rint(number);
      case BigDecimal _ -> false;
      case Map<?, ?> map -> {
        for (Object item : map.values()) {
          if (!survives(item)) {
            yield false;
          }
        }
        yield true;
      }
      case List<?> list -> {
        for (Object item : list) {
          if (!survives(item)) {
            yield false;
          }
        }
        yield true;
      }
      case null, default -> true;
    };
  }
}
