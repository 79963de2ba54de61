package dev.mooring.sandbox.schema.model;

import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression in the syntax of RE2, which Kubernetes uses: linear in time, no look-around.
 * Compiled at its first use, since large schemas hold many that are never needed. Thread-safe.
 */
public final class Pattern {
  private final String source;
  private volatile com.google.re2j.Pattern compiled;

  Pattern(String source) {
    this.source = source;
  }

  public String source() {
    return source;
  }

  /** Whether the text contains a match; throws {@link PatternSyntaxException}. */
  public boolean matches(String text) {
    com.google.re2j.Pattern ready = compiled;
    if (ready == null) {
      ready = com.google.re2j.Pattern.compile(source);
      compiled = ready;
    }
    return ready.matcher(text).find();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pattern that && source.equals(that.source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }
}
