import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Run by the build: reads what Kubernetes says of its types from the annotations of the official
 * Java client's classes, and writes it down for {@code kubectl explain}. One line for each type or
 * field: {@code V1Namespace.spec}, a tab, the description.
 *
 * <p>Arguments: a class path with {@code client-java-api}, the file to write, and the notations of
 * the types that are served.
 */
final class Descriptions {
  private static final String MODELS = "io/kubernetes/client/openapi/models/";
  private static final Pattern NAME = Pattern.compile("^(?:[a-z0-9.]+/)?([A-Z]\\w+):", Pattern.MULTILINE);
  private static final Pattern MODEL = Pattern.compile(MODELS + "((?:[A-Z][a-z]+)??V[0-9]+([A-Z]\\w*))\\.class");

  /** Served, though no notation has them. */
  private static final Set<String> COMMON = Set.of("ObjectMeta", "ListMeta", "OwnerReference", "ManagedFieldsEntry");

  private Descriptions() {}

  public static void main(String[] arguments) throws IOException {
    String jar =
        Stream.of(arguments[0].split(Pattern.quote(java.io.File.pathSeparator)))
            .filter(path -> path.contains("client-java-api"))
            .findFirst()
            .orElseThrow();
    var wanted = new HashSet<>(COMMON);
    for (int i = 2; i < arguments.length; i++) {
      NAME.matcher(Files.readString(Path.of(arguments[i]))).results().map(found -> found.group(1)).forEach(wanted::add);
    }
    var lines = new TreeMap<String, String>();
    try (var models = new JarFile(jar)) {
      for (var entry : (Iterable<java.util.jar.JarEntry>) models.stream()::iterator) {
        Optional<MatchResult> model = MODEL.matcher(entry.getName()).results().findFirst();
        if (model.isPresent() && wanted.contains(model.get().group(2))) {
          describe(model.get().group(1), ClassFile.of().parse(models.getInputStream(entry).readAllBytes()), lines);
        }
      }
    }
    var text = new StringBuilder();
    lines.forEach((name, description) ->
        text.append(name).append('\t').append(description.replace("\n", "\\n")).append('\n'));
    Path target = Path.of(arguments[1]);
    Files.createDirectories(target.getParent());
    Files.write(target, text.toString().getBytes(UTF_8));
  }

  private static void describe(String name, ClassModel type, Map<String, String> lines) {
    text(type, "io/swagger/annotations/ApiModel", "description").ifPresent(text -> lines.put(name, text));
    var fields = new HashMap<String, String>();
    type.fields().forEach(field ->
        text(field, "com/google/gson/annotations/SerializedName", "value")
            .ifPresent(json -> fields.put(key(field.fieldName().stringValue()), json)));
    type.methods().stream()
        .filter(method -> method.methodName().stringValue().startsWith("get"))
        .forEach(getter ->
            text(getter, "io/swagger/annotations/ApiModelProperty", "value")
                .filter(text -> !text.isEmpty())
                .ifPresent(text ->
                    lines.put(name + "." + fields.get(key(getter.methodName().stringValue().substring(3))), text)));
  }

  /** The same for a field and its getter. */
  private static String key(String name) {
    return name.replace("_", "").toLowerCase(java.util.Locale.ROOT);
  }

  private static Optional<String> text(AttributedElement element, String annotation, String member) {
    return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
        .flatMap(found -> found.annotations().stream())
        .filter(found -> found.className().stringValue().equals("L" + annotation + ";"))
        .flatMap(found -> found.elements().stream())
        .filter(value -> value.name().stringValue().equals(member))
        .map(value -> ((AnnotationValue.OfString) value.value()).stringValue())
        .findFirst();
  }
}
