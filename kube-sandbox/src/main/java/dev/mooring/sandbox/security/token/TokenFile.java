package dev.mooring.sandbox.security.token;

import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Users in the format of the Kubernetes option {@code --token-auth-file}: one a line, {@code
 * token,user,uid} and optionally a quoted list of groups. Empty lines count for nothing; the last
 * line of a token wins.
 */
public final class TokenFile {
  private static final int REQUIRED_COLUMNS = 3;

  private TokenFile() {}

  /**
   * Users by token; throws {@link IllegalArgumentException} that names file and line, never the
   * token, for a line that makes no sense.
   */
  public static Map<String, UserInfo> read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the token file " + file, e);
    }
    var users = new HashMap<String, UserInfo>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      List<String> columns = columns(lines.get(i));
      if (columns.size() < REQUIRED_COLUMNS || columns.getFirst().isEmpty()) {
        throw new IllegalArgumentException(
            "%s, line %d: expected token,user,uid[,\"group,group\"]".formatted(file, i + 1));
      }
      List<String> groups =
          columns.size() > REQUIRED_COLUMNS
              ? Stream.of(columns.get(REQUIRED_COLUMNS).split(","))
                  .map(String::trim)
                  .filter(group -> !group.isEmpty())
                  .toList()
              : List.of();
      users.put(columns.getFirst(), new UserInfo(columns.get(1), columns.get(2), groups, Map.of()));
    }
    return Map.copyOf(users);
  }

  /** RFC 4180 without line breaks in fields. */
  private static List<String> columns(String line) {
    var columns = new ArrayList<String>();
    var column = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        column.append('"');
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        columns.add(column.toString().trim());
        column.setLength(0);
      } else {
        column.append(c);
      }
    }
    columns.add(column.toString().trim());
    return columns;
  }
}
