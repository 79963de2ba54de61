package dev.mooring.runtime.spring;

import java.util.List;

/** There are keys below {@code mooring} that no part of Mooring reads. */
public final class UnknownPropertiesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param problems one sentence for each key; never a value
   */
  UnknownPropertiesException(List<String> problems) {
    super(String.join("\n", problems));
  }
}
