package dev.mooring.sandbox.schema.model;

import com.google.common.base.Suppliers;
import com.google.re2j.PatternSyntaxException;
import java.util.function.Supplier;

/**
 * A regular expression in the syntax of RE2, which Kubernetes uses: linear in time, no look-around.
 * Compiled at its first use, since large schemas hold many that are never needed. Thread-safe.
 */
public final class Pattern {
  private final String source;
  private final Supplier<com.google.re2j.Pattern> compiled;

  Pattern(String source) {
    this.source = source;
    this.compiled = Suppliers.memoize(() -> com.google.re2j.Pattern.compile(source));
  }

  public String source() {
    return source;
  }

  /** Whether the text contains a match; throws {@link PatternSyntaxException}. */
  public boolean matches(String text) {
    return compiled.get().matcher(text).find();
  }
}
