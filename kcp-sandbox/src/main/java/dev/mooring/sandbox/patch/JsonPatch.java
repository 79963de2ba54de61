package dev.mooring.sandbox.patch;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.patch.PatchFailure.Cause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON patches (RFC 6902) on trees. */
public final class JsonPatch {
  /**
   * Bytes of JSON that the {@code copy} operations of one patch may add, as the API server has it:
   * a list that is copied into itself doubles, so a few operations would fill any memory.
   */
  public static final int COPIED_BYTES_MAX = 3 * 1024 * 1024;

  private long copiedBytes;

  private JsonPatch() {}

  /**
   * The document after all operations; the given one stays as it is.
   *
   * @throws PatchFailure if an operation is malformed, does not fit, or its test fails
   */
  public static @Nullable Object apply(@Nullable Object document, @Nullable Object patch) {
    if (!(patch instanceof List<?> operations)) {
      throw new PatchFailure(Cause.MALFORMED, "a JSON patch is a list of operations");
    }
    Object root = Trees.thaw(document);
    var application = new JsonPatch();
    for (Object operation : operations) {
      root = application.operated(root, operation);
    }
    return Trees.freeze(root);
  }

  private @Nullable Object operated(@Nullable Object root, Object operation) {
    String path = pointer(operation, "path");
    return switch (Trees.textOrEmpty(Trees.at(operation, "op"))) {
      case "add" -> added(root, path, Trees.thaw(value(operation)));
      case "remove" -> removed(root, path);
      case "replace" -> {
        get(root, path);
        yield path.isEmpty()
            ? Trees.thaw(value(operation))
            : replaced(root, path, Trees.thaw(value(operation)));
      }
      case "move" -> {
        String from = pointer(operation, "from");
        Object moved = get(root, from);
        yield added(removed(root, from), path, moved);
      }
      case "copy" -> added(root, path, copied(get(root, pointer(operation, "from"))));
      case "test" -> {
        if (!Objects.equals(lenient(root, path), Trees.freeze(value(operation)))) {
          throw new PatchFailure(Cause.UNFIT, "testing path " + path + " failed");
        }
        yield root;
      }
      default ->
          throw new PatchFailure(
              Cause.MALFORMED, "unexpected operation: " + Trees.at(operation, "op"));
    };
  }

  private @Nullable Object copied(@Nullable Object value) {
    copiedBytes += value == null ? "null".length() : KubeJson.write(value).length;
    if (copiedBytes > COPIED_BYTES_MAX) {
      throw new PatchFailure(
          Cause.UNFIT,
          ("unable to complete the copy, the accumulated size increase of patch is %s,"
                  + " exceeding the limit %s")
              .formatted(copiedBytes, COPIED_BYTES_MAX));
    }
    return Trees.thaw(value);
  }

  private static String pointer(Object operation, String field) {
    if (Trees.at(operation, field) instanceof String pointer
        && (pointer.isEmpty() || pointer.startsWith("/"))) {
      return pointer;
    }
    throw new PatchFailure(Cause.MALFORMED, "an operation needs a JSON pointer \"" + field + "\"");
  }

  private static @Nullable Object value(Object operation) {
    if (Trees.mapOrEmpty(operation).containsKey("value")) {
      return Trees.at(operation, "value");
    }
    throw new PatchFailure(Cause.MALFORMED, "an operation lacks its value");
  }

  /** Steps of a pointer, unescaped. */
  private static List<String> steps(String pointer) {
    return Arrays.stream(pointer.split("/", -1))
        .skip(1)
        .map(step -> step.replace("~1", "/").replace("~0", "~"))
        .toList();
  }

  private static @Nullable Object get(@Nullable Object root, String pointer) {
    return at(root, steps(pointer), pointer);
  }

  private static @Nullable Object at(@Nullable Object root, List<String> steps, String pointer) {
    Object here = root;
    for (String step : steps) {
      switch (here) {
        case Map<?, ?> map when map.containsKey(step) -> here = map.get(step);
        case List<?> list -> here = list.get(index(step, list.size() - 1));
        case null, default -> throw missing(pointer);
      }
    }
    return here;
  }

  /** As the Go library: a test may ask for what is not there, and finds null. */
  private static @Nullable Object lenient(@Nullable Object root, String pointer) {
    Object here = root;
    for (String step : steps(pointer)) {
      switch (here) {
        case Map<?, ?> map -> here = map.get(step);
        case List<?> list -> here = list.get(index(step, list.size() - 1));
        case null, default -> throw missing(pointer);
      }
    }
    return here;
  }

  private static @Nullable Object added(
      @Nullable Object root, String pointer, @Nullable Object value) {
    if (pointer.isEmpty()) {
      return value;
    }
    List<String> steps = steps(pointer);
    String last = steps.getLast();
    switch (parent(root, steps, pointer)) {
      case Map<?, ?> map -> editable(map).put(last, value);
      case List<?> list ->
          editable(list).add(last.equals("-") ? list.size() : index(last, list.size()), value);
      case null, default -> throw missing(pointer);
    }
    return root;
  }

  private static @Nullable Object replaced(
      @Nullable Object root, String pointer, @Nullable Object value) {
    List<String> steps = steps(pointer);
    String last = steps.getLast();
    switch (parent(root, steps, pointer)) {
      case Map<?, ?> map -> editable(map).put(last, value);
      case List<?> list -> editable(list).set(index(last, list.size() - 1), value);
      case null, default -> throw missing(pointer);
    }
    return root;
  }

  private static @Nullable Object removed(@Nullable Object root, String pointer) {
    if (pointer.isEmpty()) {
      throw new PatchFailure(Cause.UNFIT, "the whole document cannot be removed");
    }
    List<String> steps = steps(pointer);
    String last = steps.getLast();
    switch (parent(root, steps, pointer)) {
      case Map<?, ?> map when map.containsKey(last) -> editable(map).remove(last);
      case List<?> list -> editable(list).remove(index(last, list.size() - 1));
      case null, default -> throw missing(pointer);
    }
    return root;
  }

  private static @Nullable Object parent(
      @Nullable Object root, List<String> steps, String pointer) {
    return at(root, steps.subList(0, steps.size() - 1), pointer);
  }

  private static int index(String step, int max) {
    try {
      int index = Integer.parseInt(step);
      if (index >= 0 && index <= max) {
        return index;
      }
    } catch (NumberFormatException notANumber) {
      throw new PatchFailure(Cause.UNFIT, "\"" + step + "\" is no index of a list");
    }
    throw new PatchFailure(Cause.UNFIT, "index " + step + " is out of bounds");
  }

  private static PatchFailure missing(String pointer) {
    return new PatchFailure(Cause.UNFIT, "doc is missing path: " + pointer);
  }

  @SuppressWarnings("unchecked") // thawed trees hold ArrayLists and LinkedHashMaps of any values
  private static Map<String, Object> editable(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }

  @SuppressWarnings("unchecked") // see above
  private static ArrayList<Object> editable(List<?> list) {
    return (ArrayList<Object>) list;
  }
}
