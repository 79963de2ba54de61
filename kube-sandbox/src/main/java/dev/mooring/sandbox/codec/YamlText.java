package dev.mooring.sandbox.codec;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** YAML to trees and back, as Kubernetes reads and writes it: timestamps are texts. Thread-safe. */
public final class YamlText {
  private static final int ALIASES_MAX = 50;
  private static final int REPEATED_MAX = 100;

  /** The server's own files share their parts by aliases. */
  private static final int OWN_ALIASES_MAX = 2000;

  private static final Cache<String, Map<String, Object>> OWN_FILES =
      CacheBuilder.newBuilder().softValues().build();

  /** Reads no timestamps, and one-letter booleans as Go's library does. */
  private static final class Scalars extends Resolver {
    private static final Pattern LETTER = Pattern.compile("^[yYnN]$");

    @Override
    protected void addImplicitResolvers() {
      super.addImplicitResolvers();
      addImplicitResolver(Tag.BOOL, LETTER, "yYnN");
    }

    @Override
    public void addImplicitResolver(Tag tag, Pattern regexp, String first, int limit) {
      if (!tag.equals(Tag.TIMESTAMP)) {
        super.addImplicitResolver(tag, regexp, first, limit);
      }
    }
  }

  /** Knows one-letter booleans. */
  private static final class Values extends SafeConstructor {
    private static final Set<String> TRUE = Set.of("y", "yes", "true", "on");

    Values(LoaderOptions options) {
      super(options);
      yamlConstructors.put(
          Tag.BOOL,
          new AbstractConstruct() {
            @Override
            public Object construct(Node node) {
              return TRUE.contains(((ScalarNode) node).getValue().toLowerCase(Locale.ROOT));
            }
          });
    }
  }

  /** Quotes twice what would be no string without, as Go's library does. */
  private static final class Texts extends Representer {
    private final Resolver resolver = new Scalars();

    Texts(DumperOptions options) {
      super(options);
      representers.put(
          String.class,
          text -> {
            String value = (String) text;
            boolean ambiguous =
                !resolver.resolve(NodeId.scalar, value, true).equals(Tag.STR)
                    || TIMESTAMP.matcher(value).lookingAt();
            DumperOptions.ScalarStyle style =
                ambiguous
                    ? DumperOptions.ScalarStyle.DOUBLE_QUOTED
                    : value.indexOf('\n') >= 0
                        ? DumperOptions.ScalarStyle.LITERAL
                        : DumperOptions.ScalarStyle.PLAIN;
            return representScalar(Tag.STR, value, style);
          });
    }
  }

  private static final Pattern TIMESTAMP = Pattern.compile("\\d{4}-\\d{1,2}-\\d{1,2}");

  private YamlText() {}

  /** One document; throws {@link MalformedJson} for anything that is not one. */
  public static @Nullable Object read(String text) {
    var options = new LoaderOptions();
    options.setMaxAliasesForCollections(ALIASES_MAX);
    options.setAllowDuplicateKeys(true);
    options.setNestingDepthLimit(Trees.DEPTH_MAX);
    var dumper = new DumperOptions();
    var yaml =
        new Yaml(new Values(options), new Representer(dumper), dumper, options, new Scalars());
    try {
      // The first document counts.
      var documents = yaml.loadAll(text).iterator();
      return documents.hasNext() ? Trees.freeze(withTextKeys(documents.next(), 0)) : null;
    } catch (YAMLException | IllegalArgumentException e) {
      throw new MalformedJson("the text is no YAML: " + e.getMessage());
    }
  }

  /** As {@link #read}, with the keys of maps in the order in which Go makes JSON of them. */
  public static @Nullable Object readSorted(String text) {
    return Trees.freeze(GoText.sorted(read(text)));
  }

  /** Keys are texts in JSON, of any type in YAML. */
  private static @Nullable Object withTextKeys(@Nullable Object value, int depth) {
    if (depth > Trees.DEPTH_MAX) {
      throw new IllegalArgumentException(Trees.TOO_DEEP);
    }
    return switch (value) {
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<String, Object>();
        map.forEach((key, item) -> copy.put(String.valueOf(key), withTextKeys(item, depth + 1)));
        yield copy;
      }
      case List<?> list -> {
        var copy = new ArrayList<Object>(list.size());
        list.forEach(item -> copy.add(withTextKeys(item, depth + 1)));
        yield copy;
      }
      case null, default -> value;
    };
  }

  /**
   * Complaints about keys that a map of the document has more than once. For a text that {@link
   * #read} reads.
   */
  public static List<String> repeatedKeys(String text) {
    var options = new LoaderOptions();
    options.setMaxAliasesForCollections(ALIASES_MAX);
    options.setNestingDepthLimit(Trees.DEPTH_MAX);
    var found = new ArrayList<String>();
    try {
      collectRepeated(new Yaml(options).compose(new StringReader(text)), found, new HashSet<>());
    } catch (YAMLException tooOddToSay) {
      return List.of();
    }
    return found;
  }

  private static void collectRepeated(@Nullable Node node, List<String> found, Set<Node> visited) {
    if (node == null || !visited.add(node)) {
      return;
    }
    if (node instanceof SequenceNode list) {
      list.getValue().forEach(item -> collectRepeated(item, found, visited));
    }
    if (node instanceof MappingNode map) {
      var keys = new HashSet<String>();
      for (NodeTuple entry : map.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode key
            && !keys.add(key.getValue())
            && found.size() < REPEATED_MAX) {
          found.add(
              "line %s: key \"%s\" already set in map"
                  .formatted(key.getStartMark().getLine() + 1, key.getValue()));
        }
        collectRepeated(entry.getValueNode(), found, visited);
      }
    }
  }

  /**
   * One of the server's own files, which lies next to the class: frozen, with texts for keys. Read
   * once in a JVM, however many servers it starts.
   */
  public static Map<String, Object> resource(Class<?> owner, String file) {
    String name = owner.getName() + " " + file;
    Map<String, Object> known = OWN_FILES.getIfPresent(name);
    if (known == null) {
      known = read(owner, file);
      OWN_FILES.put(name, known);
    }
    return known;
  }

  private static Map<String, Object> read(Class<?> owner, String file) {
    var options = new LoaderOptions();
    options.setMaxAliasesForCollections(OWN_ALIASES_MAX);
    try (InputStream in = owner.getResourceAsStream(file)) {
      Object document = new Yaml(new SafeConstructor(options)).load(in);
      return Trees.mapOrEmpty(Trees.freeze(withTextKeys(document, 0)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** In block style with sorted keys and folded texts, as {@code sigs.k8s.io/yaml} writes. */
  public static String write(Object tree) {
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    return new Yaml(new Texts(options), options).dump(GoText.sorted(tree));
  }
}
