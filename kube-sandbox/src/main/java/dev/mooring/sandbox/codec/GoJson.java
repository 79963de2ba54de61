package dev.mooring.sandbox.codec;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.io.ByteArrayOutputStream;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON as Go reads and writes it where the answer shows it: fields that an object has twice are
 * noticed, as in {@code sigs.k8s.io/json}.
 */
public final class GoJson {
  private static final int FAULTS_MAX = 100;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(Trees.DEPTH_MAX + 1).build())
          .build();

  private GoJson() {}

  /**
   * Complaints about fields that an object of the text has more than once; at most {@value
   * #FAULTS_MAX}.
   *
   * @param text which {@link KubeJson} reads
   */
  public static List<String> repeatedFields(byte[] text) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      var found = new LinkedHashSet<String>();
      collectRepeated(parser, parser.nextToken(), "", found);
      return found.stream()
          .limit(FAULTS_MAX)
          .map(field -> "duplicate field \"" + field + "\"")
          .toList();
    }
  }

  /** Leaves the parser at the end of the value. */
  private static void collectRepeated(
      JsonParser parser, JsonToken first, String path, Set<String> found) {
    switch (first) {
      case START_OBJECT -> {
        var keys = new HashSet<String>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String key = parser.currentName();
          String here = path.isEmpty() ? key : path + "." + key;
          if (!keys.add(key)) {
            found.add(here);
          }
          collectRepeated(parser, parser.nextToken(), here, found);
        }
      }
      case START_ARRAY -> {
        int index = 0;
        for (JsonToken item = parser.nextToken();
            item != JsonToken.END_ARRAY;
            item = parser.nextToken()) {
          collectRepeated(parser, item, path + "[" + index++ + "]", found);
        }
      }
      default -> {}
    }
  }

  /** As {@code json.MarshalIndent} with two spaces: of a text that is one line of JSON. */
  public static byte[] indented(byte[] json) {
    var out = new ByteArrayOutputStream(json.length * 2);
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < json.length; i++) {
      byte c = json[i];
      if (quoted) {
        out.write(c);
        if (c == '\\') {
          out.write(json[++i]);
        }
        quoted = c != '"';
        continue;
      }
      switch (c) {
        case '{', '[' -> {
          out.write(c);
          boolean empty = json[i + 1] == '}' || json[i + 1] == ']';
          if (empty) {
            out.write(json[++i]);
          } else {
            breakLine(out, ++depth);
          }
        }
        case '}', ']' -> {
          breakLine(out, --depth);
          out.write(c);
        }
        case ',' -> {
          out.write(c);
          breakLine(out, depth);
        }
        case ':' -> {
          out.write(c);
          out.write(' ');
        }
        case '\n' -> {}
        default -> {
          quoted = c == '"';
          out.write(c);
        }
      }
    }
    return out.toByteArray();
  }

  private static void breakLine(ByteArrayOutputStream out, int depth) {
    out.write('\n');
    for (int i = 0; i < depth; i++) {
      out.write(' ');
      out.write(' ');
    }
  }
}
