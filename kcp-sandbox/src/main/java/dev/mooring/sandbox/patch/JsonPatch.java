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
      case "add" -> {
        String path = pointer(operation, "path");
        add(
            container(path, "add operation does not apply: doc is missing path: \"%s\""),
            key(path),
            Trees.thaw(Trees.at(operation, "value")),
            "error in add for path: '" + path + "': ");
      }
      case "remove" -> {
        String path = pointer(operation, "path");
        remove(
            container(path, "remove operation does not apply: doc is missing path: \"%s\""),
            key(path),
            "error in remove for path: '" + path + "': ");
      }
      case "replace" -> replace(pointer(operation, "path"), operation);
      case "move" -> move(pointer(operation, "from"), operation);
      case "copy" -> copy(pointer(operation, "from"), operation);
      case "test" -> test(pointer(operation, "path"), operation);
      default -> throw unfit("Unexpected kind: " + (kind.isEmpty() ? "unknown" : kind));
    }
  }

  private void move(String from, @Nullable Object operation) {
    String key = key(from);
    Object container =
        container(from, "move operation does not apply: doc is missing from path: %s");
    String where = "error in move for path: '" + key + "': ";
    Object moved = child(container, key, where);
    remove(container, key, where);
    String path = pointer(operation, "path");
    add(
        container(path, "move operation does not apply: doc is missing destination path: %s"),
        key(path),
        moved,
        "error in move for path: '" + path + "': ");
  }

  private void copy(String from, @Nullable Object operation) {
    Object value =
        child(
            container(from, "copy operation does not apply: doc is missing from path: %s"),
            key(from),
            "error in copy for from: '" + from + "': ");
    String path = pointer(operation, "path");
    add(
        container(path, "copy operation does not apply: doc is missing destination path: %s"),
        key(path),
        copied(value),
        "error while adding value during copy: ");
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

  /**
   * The map or list that the pointer's last step is to be looked up in.
   *
   * @param complaint about the pointer, if there is none
   */
  private Object container(String pointer, String complaint) {
    List<String> steps = Arrays.asList(pointer.split("/", -1));
    Object here = steps.size() < 2 ? null : root;
    for (String step : steps.subList(1, Math.max(1, steps.size() - 1))) {
      try {
        here = here == null ? null : child(here, unescaped(step), "");
      } catch (PatchFailure noSuchIndex) {
        here = null;
      }
    }
    if (here instanceof Map<?, ?> || here instanceof List<?>) {
      return here;
    }
    throw unfit(complaint.formatted(pointer) + ": missing value");
  }

  /** Null where a map lacks the key. */
  private static @Nullable Object child(Object container, String key, String where) {
    return switch (container) {
      case Map<?, ?> map -> map.get(key);
      case List<?> list -> list.get(index(key, list.size(), list.size() - 1, where));
      default -> null;
    };
  }

  private static void add(Object container, String key, @Nullable Object value, String where) {
    switch (container) {
      case List<?> list ->
          editable(list)
              .add(
                  key.equals("-") ? list.size() : index(key, list.size() + 1, list.size(), where),
                  value);
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
    switch (container(pointer, "replace operation does not apply: doc is missing path: %s")) {
      case List<?> list -> {
        int index;
        try {
          index = index(key, list.size(), list.size() - 1, "");
        } catch (PatchFailure noSuchIndex) {
          throw unfit(
              "replace operation does not apply: doc is missing key: "
                  + pointer
                  + ": missing value");
        }
        editable(list).set(index, value);
      }
      case Object map -> editable((Map<?, ?>) map).put(key, value);
    }
  }

  private static void remove(Object container, String key, String where) {
    switch (container) {
      case List<?> list -> editable(list).remove(index(key, list.size(), list.size() - 1, where));
      case Object map -> {
        if (!((Map<?, ?>) map).containsKey(key)) {
          throw unfit(where + "Unable to remove nonexistent key: " + key + ": missing value");
        }
        editable((Map<?, ?>) map).remove(key);
      }
    }
  }

  private void test(String pointer, @Nullable Object operation) {
    Object found =
        pointer.isEmpty()
            ? root
            : child(
                container(pointer, "test operation does not apply: is missing path: %s"),
                key(pointer),
                "error in test for path: '" + pointer + "': ");
    if (!Objects.equals(found, Trees.thaw(Trees.at(operation, "value")))) {
      throw unfit("testing value " + pointer + " failed: test failed");
    }
  }

  /**
   * @param size that negative indices are added to
   * @param max the largest index
   * @param where what a complaint begins with
   */
  private static int index(String step, int size, int max, String where) {
    int index;
    try {
      index = Integer.parseInt(step);
    } catch (NumberFormatException notANumber) {
      throw unfit(where + "strconv.Atoi: parsing " + GoText.quote(step) + ": invalid syntax");
    }
    int counted = index < 0 ? index + size : index;
    if (counted < 0 || counted > max) {
      throw unfit(
          where + "Unable to access invalid index: " + index + ": invalid index referenced");
    }
    return counted;
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
