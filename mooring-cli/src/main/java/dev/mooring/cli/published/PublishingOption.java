package dev.mooring.cli.published;

import dev.mooring.syncagent.published.Publishing;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Who writes schemas and export where a PublishedResource does not say. */
public final class PublishingOption {
  @Option(
      names = "--publishing",
      paramLabel = "WHO",
      defaultValue = "Managed",
      converter = Word.class,
      completionCandidates = Words.class,
      description =
          "As the agent's property publishing: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private Publishing publishing;

  public Publishing value() {
    return publishing;
  }

  static final class Words implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("Managed", "External").iterator();
    }
  }

  static final class Word implements ITypeConverter<Publishing> {
    @Override
    public Publishing convert(String text) {
      return Arrays.stream(Publishing.values())
          .filter(each -> each.name().equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException("\"" + text + "\" is neither Managed nor External"));
    }
  }
}
