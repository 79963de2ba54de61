package dev.mooring.sandbox.kcp;

import dev.mooring.sandbox.kcp.decide.WorkspaceTypes.Answer;

/** Unwraps answers where a refusal means that something has to be tried again. */
final class KcpAnswers {
  private KcpAnswers() {}

  static <T> T orThrow(Answer<T> answer) {
    return switch (answer) {
      case Answer.Known<T>(T value) -> value;
      case Answer.Refused<T>(String message) -> throw new IllegalStateException(message);
    };
  }
}
