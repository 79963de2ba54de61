package dev.mooring.runtime.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Spring print what is wrong with the keys, in place of a stack trace. */
final class UnknownPropertiesFailureAnalyzer
    extends AbstractFailureAnalyzer<UnknownPropertiesException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, UnknownPropertiesException cause) {
    return new FailureAnalysis(
        cause.getMessage(),
        "Correct or remove these keys. docs/reference/properties.md lists all properties.",
        cause);
  }
}
