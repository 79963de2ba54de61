package dev.mooring.sandbox.cel;

import java.util.Map;
import java.util.regex.Pattern;

/** What CEL-Java's compiler says, in the words of Go's. */
final class CompilerTexts {
  private static final Map<Pattern, String> WORDS =
      Map.of(
          Pattern.compile("(?<=applied to '[^\n']{0,500})google\\.protobuf\\.Timestamp"),
          "timestamp",
          Pattern.compile("(?<=applied to '[^\n']{0,500})google\\.protobuf\\.Duration"),
          "duration",
          Pattern.compile("(?<=applied to '[^\n']{0,500})\\*error\\*"),
          "!error!",
          Pattern.compile("(?<=:\\d{1,6}: )The argument must be a simple name"),
          "argument must be a simple name",
          Pattern.compile("(?<=:\\d{1,6}: )For input string: \"[0-9]+\""),
          "invalid int literal",
          Pattern.compile("(?<=:\\d{1,6}: )Illegal escape sequence: [^\n]*"),
          "unable to unescape string",
          // After a whole expression Go expects its end alone.
          Pattern.compile(
              "(?<=mismatched input '[^\n]{1,200}' expecting )\\{(?=[^\n]*'==', '!=', 'in')[^\n]*\\}"),
          "<EOF>");

  private CompilerTexts() {}

  static String inGo(String text) {
    String words = text;
    for (Map.Entry<Pattern, String> entry : WORDS.entrySet()) {
      words = entry.getKey().matcher(words).replaceAll(entry.getValue());
    }
    return words;
  }
}
