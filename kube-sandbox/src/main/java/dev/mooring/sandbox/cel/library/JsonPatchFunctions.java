package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.SimpleType;
import java.util.List;

/** {@code jsonpatch.escapeKey()}, for expressions that make patches. */
final class JsonPatchFunctions {
  static final List<Overload> ALL =
      List.of(
          Overload.global(
              "jsonpatch.escapeKey",
              "string_jsonpatch_escapeKey_string",
              Kind.STRING,
              SimpleType.STRING,
              key -> key.replace("~", "~0").replace("/", "~1")));

  private JsonPatchFunctions() {}
}
