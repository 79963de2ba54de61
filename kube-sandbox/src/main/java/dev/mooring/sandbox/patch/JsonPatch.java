package dev.mooring.sandbox.patch;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.patch.PatchFailure.Cause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON patches (RFC 6902) on trees, with the liberties that {@code gopkg.in/evanphx/json-patch.v4}
 * takes in Kubernetes: an operation may lack its value, a replaced or copied key may be missing, a
 * path may lack its first slash, and negative indices count from the end.
 */
public final class JsonPatch {
  /**
   * Bytes of JSON that the {@code copy} operations of one patch may add, as the API server has it:
   * a list that is copied into itself doubles, so a few operations would fill any memory.
   */
  public static final int COPIED_BYTES_MAX = 3 * 1024 * 1024;

  private @Nullable Object root;
  private long copiedBytes;

  private JsonPatch(@Nullable Object root) {
    this.root = root;
  }

  /**
   * Refuses what is no list of operations.
   *
   * @param patch null for no operation at all
   * @throws PatchFailure of the cause {@link Cause#MALFORMED}
   */
  public static List<Object> operations(@Nullable Object patch) {
    if (patch == null) {
      return List.of();
    }
    if (!(patch instanceof List<?>)) {
      throw malformed("a JSON patch must be a list of operations");
    }
    List<Object> operations = Trees.listOrEmpty(patch);
    for (Object operation : operations) {
      if (operation != null && !(operation instanceof Map<?, ?>)) {
        throw malformed("an operation of a JSON patch must be an object");
      }
      for (String field : List.of("op", "path", "from")) {
        Object text = Trees.at(operation, field);
        if (text != null && !(text instanceof String)) {
          throw malformed(field + " of an operation must be a string");
        }
      }
    }
    return operations;
  }

  /**
   * The document after all operations; the given one stays as it is.
   *
   * @throws PatchFailure if an operation is malformed, does not fit, or its test fails
   */
  public static @Nullable Object apply(@Nullable Object document, @Nullable Object patch) {
    var application = new JsonPatch(Trees.thaw(document));
    operations(patch).forEach(application::operate);
    return Trees.freeze(application.root);
  }

  private void operate(@Nullable Object operation) {
    String kind = Trees.text(operation, "op");
    switch (kind) {
      case "add" -> add(pointer(operation, "path"), Trees.thaw(Trees.at(operation, "value")));
      case "remove" -> remove(pointer(operation, "path"));
      case "replace" -> replace(pointer(operation, "path"), operation);
      case "move" -> {
        String from = pointer(operation, "from");
        Object moved = child(container(from), key(from));
        remove(from);
        add(pointer(operation, "path"), moved);
      }
      case "copy" -> {
        String from = pointer(operation, "from");
        add(pointer(operation, "path"), copied(child(container(from), key(from))));
      }
      case "test" -> test(pointer(operation, "path"), operation);
      default -> throw unfit("there is no operation \"" + kind + "\"");
    }
  }

  private static String pointer(@Nullable Object operation, String field) {
    if (Trees.at(operation, field) instanceof String pointer) {
      return pointer;
    }
    throw unfit("an operation has no " + field);
  }

  private @Nullable Object copied(@Nullable Object value) {
    copiedBytes += value == null ? "null".length() : KubeJson.write(value).length;
    if (copiedBytes > COPIED_BYTES_MAX) {
      throw unfit("the copies exceed the limit of " + COPIED_BYTES_MAX + " bytes");
    }
    return Trees.thaw(value);
  }

  /** A step of a pointer, unescaped. */
  private static String unescaped(String step) {
    return step.replace("~1", "/").replace("~0", "~");
  }

  /** The last step of a pointer. */
  private static String key(String pointer) {
    return unescaped(pointer.substring(pointer.lastIndexOf('/') + 1));
  }

  /** The map or list that the pointer's last step is to be looked up in. */
  private Object container(String pointer) {
    List<String> steps = Arrays.asList(pointer.split("/", -1));
    Object here = steps.size() < 2 ? null : root;
    for (String step : steps.subList(1, Math.max(1, steps.size() - 1))) {
      here = here == null ? null : child(here, unescaped(step));
    }
    if (here instanceof Map<?, ?> || here instanceof List<?>) {
      return here;
    }
    throw unfit("there is nothing at " + pointer);
  }

  /** Null where a map lacks the key. */
  private static @Nullable Object child(Object container, String key) {
    return switch (container) {
      case Map<?, ?> map -> map.get(key);
      case List<?> list -> list.get(index(key, list.size(), list.size() - 1));
      default -> null;
    };
  }

  private void add(String pointer, @Nullable Object value) {
    String key = key(pointer);
    switch (container(pointer)) {
      case List<?> list ->
          editable(list)
              .add(key.equals("-") ? list.size() : index(key, list.size() + 1, list.size()), value);
      case Object map -> editable((Map<?, ?>) map).put(key, value);
    }
  }

  private void replace(String pointer, @Nullable Object operation) {
    Object value = Trees.thaw(Trees.at(operation, "value"));
    if (pointer.isEmpty()) {
      if (!(value instanceof Map<?, ?> || value instanceof List<?>)) {
        throw unfit("a document can only be replaced by an object or a list");
      }
      root = value;
      return;
    }
    String key = key(pointer);
    switch (container(pointer)) {
      case List<?> list -> editable(list).set(index(key, list.size(), list.size() - 1), value);
      case Object map -> editable((Map<?, ?>) map).put(key, value);
    }
  }

  private void remove(String pointer) {
    String key = key(pointer);
    switch (container(pointer)) {
      case List<?> list -> editable(list).remove(index(key, list.size(), list.size() - 1));
      case Object map -> {
        if (!((Map<?, ?>) map).containsKey(key)) {
          throw unfit("there is nothing to remove at " + pointer);
        }
        editable((Map<?, ?>) map).remove(key);
      }
    }
  }

  private void test(String pointer, @Nullable Object operation) {
    Object found = pointer.isEmpty() ? root : child(container(pointer), key(pointer));
    if (!Objects.equals(found, Trees.thaw(Trees.at(operation, "value")))) {
      throw new PatchFailure(Cause.TEST_FAILED, "the test of " + pointer + " failed");
    }
  }

  /**
   * @param size that negative indices are added to
   * @param max the largest index
   */
  private static int index(String step, int size, int max) {
    int index;
    try {
      index = Integer.parseInt(step);
    } catch (NumberFormatException notANumber) {
      throw unfit("\"" + step + "\" is no index of a list");
    }
    int counted = index < 0 ? index + size : index;
    if (counted < 0 || counted > max) {
      throw unfit("a list has no index " + index);
    }
    return counted;
  }

  private static PatchFailure unfit(String message) {
    return new PatchFailure(Cause.UNFIT, message);
  }

  private static PatchFailure malformed(String message) {
    return new PatchFailure(Cause.MALFORMED, message);
  }

  @SuppressWarnings("unchecked") // thawed trees hold ArrayLists and LinkedHashMaps of any values
  private static LinkedHashMap<String, Object> editable(Map<?, ?> map) {
    return (LinkedHashMap<String, Object>) map;
  }

  @SuppressWarnings("unchecked") // see above
  private static ArrayList<Object> editable(List<?> list) {
    return (ArrayList<Object>) list;
  }
}
