package dev.mooring.languages.template.format;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.format.FormatSpec.Flag;
import dev.mooring.languages.template.text.Texts;
import dev.mooring.languages.template.value.Bounded;
import dev.mooring.languages.template.value.Values;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;

/** Go's fmt, as far as templates can call it. */
public final class GoFormat {
  private static final int WIDTH_MAX = 1024;

  private final String format;
  private final List<Object> values;
  private final Bounded out = new Bounded();
  private int at;

  /** Of the value that comes next. */
  private int next;

  /** Whether the format says which value it means; then none is too many. */
  private boolean indexed;

  private boolean badIndex;

  private GoFormat(String format, List<Object> values) {
    this.format = format;
    this.values = values;
  }

  /** A space between operands of which neither is a string. */
  public static String print(List<Object> values) {
    var out = new Bounded();
    for (int i = 0; i < values.size(); i++) {
      if (i > 0 && !(values.get(i) instanceof String) && !(values.get(i - 1) instanceof String)) {
        out.append(" ");
      }
      out.append(Values.print(values.get(i)));
    }
    return out.toString();
  }

  public static String printLine(List<Object> values) {
    var out = new Bounded();
    for (int i = 0; i < values.size(); i++) {
      out.append(i > 0 ? " " : "").append(Values.print(values.get(i)));
    }
    return out.append("\n").toString();
  }

  /** What does not fit is said in the text, as there; throws {@link TemplateFailure}. */
  public static String format(String format, List<Object> values) {
    return new GoFormat(format, values).run();
  }

  private String run() {
    while (at < format.length()) {
      int percent = format.indexOf('%', at);
      int end = percent < 0 ? format.length() : percent;
      out.append(format.substring(at, end));
      at = end + 1;
      if (percent >= 0) {
        directive();
      }
    }
    if (!indexed && next < values.size()) {
      extra();
    }
    return out.toString();
  }

  private void extra() {
    out.append("%!(EXTRA ");
    String separator = "";
    for (Object value : values.subList(next, values.size())) {
      out.append(separator);
      out.append(
          value == null
              ? "<nil>"
              : Values.goType(value) + "=" + ValueFormat.text(FormatSpec.NONE, 'v', value));
      separator = ", ";
    }
    out.append(")");
  }

  private void directive() {
    badIndex = false;
    var flags = EnumSet.noneOf(Flag.class);
    while (at < format.length() && Flag.of(format.charAt(at)) != null) {
      flags.add(Flag.of(format.charAt(at++)));
    }
    boolean afterIndex = index();
    OptionalInt width;
    if (take('*')) {
      width = argument("%!(BADWIDTH)");
      if (width.orElse(0) < 0) {
        width = OptionalInt.of(-width.getAsInt());
        flags.add(Flag.MINUS);
        flags.remove(Flag.ZERO);
      }
      afterIndex = false;
    } else {
      width = number();
      badIndex |= afterIndex && width.isPresent();
    }
    OptionalInt precision = OptionalInt.empty();
    if (at + 1 < format.length() && take('.')) {
      badIndex |= afterIndex;
      afterIndex = index();
      if (take('*')) {
        precision = argument("%!(BADPREC)");
        afterIndex = false;
      } else {
        precision = OptionalInt.of(number().orElse(0));
      }
    }
    if (!afterIndex) {
      index();
    }
    if (at >= format.length()) {
      out.append("%!(NOVERB)");
      return;
    }
    verb(flags, width, precision);
  }

  private void verb(EnumSet<Flag> flags, OptionalInt width, OptionalInt precision) {
    int verb = format.codePointAt(at);
    at += Character.charCount(verb);
    String name = Character.toString(verb);
    if (verb == '%') {
      out.append("%");
    } else if (badIndex) {
      out.append("%!" + name + "(BADINDEX)");
    } else if (next >= values.size()) {
      out.append("%!" + name + "(MISSING)");
    } else {
      if (bound(width) || bound(precision)) {
        throw new TemplateFailure("printf: a width is no number up to " + WIDTH_MAX);
      }
      var spec = new FormatSpec(flags, width, precision);
      out.append(
          ValueFormat.text(
              verb == 'v' || verb == 'w' ? spec.forValues() : spec, verb, values.get(next++)));
    }
  }

  private static boolean bound(OptionalInt size) {
    return size.orElse(0) > WIDTH_MAX;
  }

  private boolean take(char sign) {
    if (at < format.length() && format.charAt(at) == sign) {
      at++;
      return true;
    }
    return false;
  }

  private OptionalInt number() {
    int start = at;
    while (at < format.length() && Texts.isDigit(format.charAt(at))) {
      at++;
    }
    if (at == start) {
      return OptionalInt.empty();
    }
    String digits = format.substring(start, at);
    return OptionalInt.of(digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits));
  }

  /** Reads {@code [n]}: whether there is one that names a value or a number. */
  private boolean index() {
    if (at >= format.length() || format.charAt(at) != '[') {
      return false;
    }
    indexed = true;
    int end = format.indexOf(']', at);
    if (end < 0) {
      at++;
      badIndex = true;
      return false;
    }
    String digits = format.substring(at + 1, end);
    at = end + 1;
    if (!digits.matches("[0-9]{1,6}")) {
      badIndex = true;
      return false;
    }
    int index = Integer.parseInt(digits) - 1;
    if (index < 0 || index >= values.size()) {
      badIndex = true;
    } else {
      next = index;
    }
    return true;
  }

  /** The next value as a width or precision; a negative precision counts as none. */
  private OptionalInt argument(String otherwise) {
    Object value = next < values.size() ? values.get(next++) : null;
    boolean precision = otherwise.endsWith("PREC)");
    if (value instanceof Long number
        && Math.abs(number) <= 1_000_000
        && !(precision && number < 0)) {
      return OptionalInt.of(number.intValue());
    }
    out.append(otherwise);
    return OptionalInt.empty();
  }
}
