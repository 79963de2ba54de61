package dev.mooring.sandbox.cel.library;

import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.schema.model.Formats;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** A format by name, which checks texts. */
enum NamedFormat {
  DNS1123_LABEL("dns1123Label", NameRules::label),
  DNS1123_SUBDOMAIN("dns1123Subdomain", NameRules::subdomain),
  DNS1035_LABEL("dns1035Label", NameRules::dns1035Label),
  QUALIFIED_NAME("qualifiedName", NameRules::qualifiedName),
  DNS1123_LABEL_PREFIX("dns1123LabelPrefix", text -> NameRules.label(prefix(text))),
  DNS1123_SUBDOMAIN_PREFIX("dns1123SubdomainPrefix", text -> NameRules.subdomain(prefix(text))),
  DNS1035_LABEL_PREFIX("dns1035LabelPrefix", text -> NameRules.dns1035Label(prefix(text))),
  LABEL_VALUE("labelValue", NameRules::labelValue),
  URI("uri", text -> Url.isValid(text) ? List.of() : List.of("must be a URL")),
  UUID("uuid", text -> matching("uuid", text, "does not match the UUID format")),
  BYTE("byte", text -> matching("byte", text, "invalid base64")),
  DATE("date", text -> matching("date", text, "invalid date")),
  DATETIME("datetime", text -> matching("datetime", text, "invalid datetime"));

  /** {@code format.named()}, a function for each named format, and {@code validate()}. */
  static final List<Overload> FUNCTIONS =
      Stream.concat(
              Stream.of(
                  Overload.unary("format.named(string) optional(NamedFormat)", NamedFormat::named),
                  Overload.binary(
                      "(NamedFormat) validate(string) optional(list(string))",
                      NamedFormat::validate)),
              Arrays.stream(values())
                  .map(format ->
                      Overload.constant("format." + format.id + "() NamedFormat", format)))
          .toList();

  private final String id;
  private final Function<String, List<String>> problems;

  NamedFormat(String id, Function<String, List<String>> problems) {
    this.id = id;
    this.problems = problems;
  }

  static Optional<NamedFormat> named(String name) {
    return Arrays.stream(values()).filter(format -> format.id.equals(name)).findFirst();
  }

  /** What is wrong with the text; empty if nothing is. */
  Optional<List<String>> validate(String text) {
    return Optional.of(problems.apply(text)).filter(found -> !found.isEmpty());
  }

  /** A name that may start with the prefix: a dash at its end does not count. */
  private static String prefix(String text) {
    return text.length() > 1 && text.endsWith("-")
        ? text.substring(0, text.length() - 1) + "a"
        : text;
  }

  private static List<String> matching(String format, String text, String problem) {
    return Formats.matches(format, text) ? List.of() : List.of(problem);
  }
}
