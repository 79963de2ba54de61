package dev.mooring.acceptance.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds words in main code, documentation and chart that the project's list of words replaces by
 * others. Also a program: {@code java Tidy.java [PATH]...} in the root of a clone prints what it
 * finds below the paths.
 */
public final class Tidy {
  static final Path WORDS = Path.of("acceptance-tests/src/test/resources/tidy/words.txt");

  private static final Set<String> NOT_OURS =
      Set.of("target", ".git", ".mvn", ".idea", "test", "node_modules", "LICENSE");
  private static final Set<String> ENDINGS =
      Set.of(".java", ".md", ".yaml", ".yml", ".tpl", ".txt", ".json", ".properties");

  private final List<Word> words;

  /**
   * @param allowed parts of the paths of files in which the word is right
   */
  record Word(Pattern pattern, String text, String replacement, List<String> allowed) {
    static Word parse(String line) {
      String[] parts = line.split("\\|");
      String text = parts[0].strip();
      List<String> allowed = parts.length > 2 ? List.of(parts[2].strip().split("\\s+")) : List.of();
      return new Word(pattern(text), text, parts[1].strip(), allowed);
    }

    /** Matches the word alone, and as a part of a name in camel case. */
    private static Pattern pattern(String text) {
      String spaced = text.replace(" ", "\\s+(?:\\*\\s+|//\\s+)?");
      String camel = camel(text);
      return Pattern.compile(
          "(?<![A-Za-z])(?i:"
              + spaced
              + ")(?![a-z])|(?<![A-Za-z])"
              + Character.toLowerCase(camel.charAt(0))
              + camel.substring(1)
              + "(?![a-z])|"
              + camel
              + "(?![a-z])");
    }

    private static String camel(String text) {
      return Stream.of(text.split(" "))
          .map(part -> Character.toUpperCase(part.charAt(0)) + part.substring(1))
          .collect(Collectors.joining());
    }

    /** In small letters; a text without it does not hold the phrase. */
    String first() {
      return text.split(" ")[0];
    }

    boolean isAllowedIn(Path file) {
      return allowed.stream().anyMatch(file.toString()::contains);
    }
  }

  /**
   * @param line from 1
   */
  record Finding(Path file, int line, String word, String replacement) {
    @Override
    public String toString() {
      return file + ":" + line + ": \"" + word + "\": write " + replacement;
    }
  }

  Tidy(List<Word> words) {
    this.words = List.copyOf(words);
  }

  /**
   * @throws UncheckedIOException if the list cannot be read
   */
  static Tidy of(Path list) {
    try (Stream<String> lines = Files.lines(list)) {
      return new Tidy(
          lines.filter(line -> !line.isBlank() && !line.startsWith("#")).map(Word::parse).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files below a directory that people read: main code, documentation, chart. */
  static List<Path> files(Path root, Path below) throws IOException {
    var files = new ArrayList<Path>();
    Files.walkFileTree(
        below,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            boolean skipped =
                !directory.equals(below)
                    && (NOT_OURS.contains(directory.getFileName().toString())
                        || directory.getFileName().toString().startsWith("."));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (ENDINGS.stream().anyMatch(name::endsWith)) {
              files.add(root.relativize(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  /** What a file's text says in words of the list. */
  List<Finding> check(Path file, String text) {
    var findings = new ArrayList<Finding>();
    String lower = text.toLowerCase(Locale.ROOT);
    int[] ends = IntStream.range(0, text.length()).filter(at -> text.charAt(at) == '\n').toArray();
    for (Word word : words) {
      if (!lower.contains(word.first()) || word.isAllowedIn(file)) {
        continue;
      }
      Matcher found = word.pattern().matcher(text);
      while (found.find()) {
        int line = -Arrays.binarySearch(ends, found.start());
        findings.add(
            new Finding(
                file,
                line,
                found.group().toLowerCase(Locale.ROOT).replaceAll("\\s+", " "),
                word.replacement()));
      }
    }
    return findings;
  }

  List<Finding> check(Path root, List<Path> files) throws IOException {
    var findings = new ArrayList<Finding>();
    for (Path file : files) {
      findings.addAll(check(file, Files.readString(root.resolve(file))));
    }
    return findings;
  }

  public static void main(String[] args) throws IOException {
    Path root = Path.of("").toAbsolutePath();
    Tidy tidy = of(root.resolve(WORDS));
    List<String> below = args.length == 0 ? List.of("") : List.of(args);
    int found = 0;
    for (String path : below) {
      for (Finding finding : tidy.check(root, files(root, root.resolve(path)))) {
        System.out.println(finding);
        found++;
      }
    }
    System.out.println(found + " words to replace");
    System.exit(found == 0 ? 0 : 1);
  }
}
