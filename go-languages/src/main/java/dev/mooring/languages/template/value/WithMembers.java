package dev.mooring.languages.template.value;

import dev.mooring.languages.TemplateFailure;
import java.util.List;

/** A value that is more than JSON, and has methods in Go. */
public interface WithMembers {
  /**
   * What a method of Go's type returns.
   *
   * @param arguments of the call
   * @throws TemplateFailure for a name that the type does not have, or arguments that do not fit
   */
  Object member(String name, List<Object> arguments);
}
