package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** {@code format.named()}, a function for each named format, and {@code validate()}. */
final class FormatFunctions {
  private static final Kind<NamedFormat> FORMAT =
      Kind.opaque("kubernetes.NamedFormat", NamedFormat.class);

  static final List<Overload> ALL =
      Stream.concat(
              Stream.of(
                  Overload.global(
                      "format.named",
                      "format-named",
                      Kind.STRING,
                      OptionalType.create(FORMAT.type()),
                      NamedFormat::named),
                  Overload.member(
                      "validate",
                      "format-validate",
                      FORMAT,
                      Kind.STRING,
                      OptionalType.create(ListType.create(SimpleType.STRING)),
                      NamedFormat::validate)),
              Arrays.stream(NamedFormat.values())
                  .map(format -> Overload.constant("format." + format.id(), FORMAT.type(), format)))
          .toList();

  private FormatFunctions() {}
}
