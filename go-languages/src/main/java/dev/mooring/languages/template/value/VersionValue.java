package dev.mooring.languages.template.value;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.version.SemanticVersion;
import java.math.BigInteger;
import java.util.List;

/** What {@code semver} gives a template: a version with the methods of Masterminds' Version. */
public record VersionValue(SemanticVersion version) implements WithMembers {
  @Override
  public Object member(String name, List<Object> arguments) {
    return switch (name) {
      case "Compare" -> (long) compare(name, arguments);
      case "Equal" -> compare(name, arguments) == 0;
      case "LessThan" -> compare(name, arguments) < 0;
      case "LessThanEqual" -> compare(name, arguments) <= 0;
      case "GreaterThan" -> compare(name, arguments) > 0;
      case "GreaterThanEqual" -> compare(name, arguments) >= 0;
      case "SetPrerelease", "SetMetadata" -> changed(name, text(name, arguments));
      default -> {
        if (!arguments.isEmpty()) {
          throw new TemplateFailure("." + name + " takes no arguments");
        }
        yield property(name);
      }
    };
  }

  private int compare(String name, List<Object> arguments) {
    if (arguments.size() == 1 && arguments.getFirst() instanceof VersionValue(var other)) {
      return version.compare(other);
    }
    throw new TemplateFailure("." + name + " takes a version");
  }

  private static String text(String name, List<Object> arguments) {
    if (arguments.size() == 1 && arguments.getFirst() instanceof String text) {
      return text;
    }
    throw new TemplateFailure("." + name + " takes a string");
  }

  private VersionValue changed(String name, String text) {
    try {
      return new VersionValue(
          name.equals("SetMetadata") ? version.withMetadata(text) : version.withPreRelease(text));
    } catch (ExpressionFailure e) {
      throw new TemplateFailure("." + name + ": " + e.getMessage());
    }
  }

  private Object property(String name) {
    return switch (name) {
      case "Major" -> unsigned(version.major());
      case "Minor" -> unsigned(version.minor());
      case "Patch" -> unsigned(version.patch());
      case "Prerelease" -> version.preRelease();
      case "Metadata" -> version.metadata();
      case "Original" -> version.original();
      case "String" -> toString();
      case "IncMajor" -> new VersionValue(version.nextMajor());
      case "IncMinor" -> new VersionValue(version.nextMinor());
      case "IncPatch" -> new VersionValue(version.nextPatch());
      default -> throw new TemplateFailure("can't evaluate field " + name + " of a version");
    };
  }

  private static Object unsigned(long number) {
    return number < 0 ? new BigInteger(Long.toUnsignedString(number)) : (Object) number;
  }

  @Override
  public String toString() {
    return version.toString();
  }
}
