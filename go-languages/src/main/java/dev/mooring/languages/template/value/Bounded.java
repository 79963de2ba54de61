package dev.mooring.languages.template.value;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.GoTemplate;

/** A text that may not get longer than a rendering may. */
public final class Bounded {
  private final StringBuilder text = new StringBuilder();

  public Bounded append(String more) {
    if (text.length() + (long) more.length() > GoTemplate.OUTPUT_MAX) {
      throw new TemplateFailure("the text gets longer than " + GoTemplate.OUTPUT_MAX);
    }
    text.append(more);
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
