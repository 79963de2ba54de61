package dev.mooring.sandbox.patch;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
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

  private static final String OPERATION = "handlers.jsonPatchOp";

  private @Nullable Object root;
  private long copiedBytes;

  private JsonPatch(@Nullable Object root) {
    this.root = root;
  }

  /**
   * Refuses what is no list of operations, in the words of Go's decoder.
   *
   * @param patch null for no operation at all
   * @throws PatchFailure of the cause {@link Cause#MALFORMED}
   */
  public static List<Object> operations(@Nullable Object patch) {
    if (patch == null) {
      return List.of();
    }
    if (!(patch instanceof List<?>)) {
      throw malformed(patch, "value of type []" + OPERATION);
    }
    List<Object> operations = Trees.listOrEmpty(patch);
    for (Object operation : operations) {
      if (operation != null && !(operation instanceof Map<?, ?>)) {
        throw malformed(operation, "value of type " + OPERATION);
      }
      for (String field : List.of("op", "path", "from")) {
        Object text = Trees.at(operation, field);
        if (text != null && !(text instanceof String)) {
          throw malformed(text, "struct field jsonPatchOp." + field + " of type string");
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
        Object moved = get(from);
        remove(from);
        add(pointer(operation, "path"), moved);
      }
      case "copy" -> add(pointer(operation, "path"), copied(get(pointer(operation, "from"))));
      case "test" -> test(pointer(operation, "path"), operation);
      default -> throw unfit("Unexpected kind: " + (kind.isEmpty() ? "unknown" : kind));
    }
  }

  private static String pointer(@Nullable Object operation, String field) {
    if (Trees.at(operation, field) instanceof String pointer) {
      return pointer;
    }
    throw unfit("operation missing " + field + " field: missing value");
  }

  private @Nullable Object copied(@Nullable Object value) {
    copiedBytes += value == null ? "null".length() : KubeJson.write(value).length;
    if (copiedBytes > COPIED_BYTES_MAX) {
      throw unfit(
          ("Unable to complete the copy, the accumulated size increase of copy is %s,"
                  + " exceeding the limit %s")
              .formatted(copiedBytes, COPIED_BYTES_MAX));
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
    if (steps.size() < 2) {
      throw missing(pointer);
    }
    Object here = root;
    for (String step : steps.subList(1, steps.size() - 1)) {
      here = here == null ? null : child(here, unescaped(step));
    }
    if (here instanceof Map<?, ?> || here instanceof List<?>) {
      return here;
    }
    throw missing(pointer);
  }

  /** Null where a map lacks the key. */
  private static @Nullable Object child(Object container, String key) {
    return switch (container) {
      case Map<?, ?> map -> map.get(key);
      case List<?> list -> list.get(index(key, list.size(), list.size() - 1));
      default -> null;
    };
  }

  private @Nullable Object get(String pointer) {
    return child(container(pointer), key(pointer));
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
        throw unfit("replace operation value must be object or array");
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
          throw unfit("Unable to remove nonexistent key: " + key + ": missing value");
        }
        editable((Map<?, ?>) map).remove(key);
      }
    }
  }

  private void test(String pointer, @Nullable Object operation) {
    Object found = pointer.isEmpty() ? root : get(pointer);
    if (!Objects.equals(found, Trees.thaw(Trees.at(operation, "value")))) {
      throw unfit("testing value " + pointer + " failed: test failed");
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
      throw unfit("value was not a proper array index: '" + step + "'");
    }
    int counted = index < 0 ? index + size : index;
    if (counted < 0 || counted > max) {
      throw unfit("Unable to access invalid index: " + index + ": invalid index referenced");
    }
    return counted;
  }

  private static PatchFailure missing(String pointer) {
    return unfit("doc is missing path: \"" + pointer + "\": missing value");
  }

  private static PatchFailure unfit(String message) {
    return new PatchFailure(Cause.UNFIT, message);
  }

  private static PatchFailure malformed(Object found, String expected) {
    return new PatchFailure(
        Cause.MALFORMED,
        "json: cannot unmarshal " + GoText.jsonKind(found) + " into Go " + expected);
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
