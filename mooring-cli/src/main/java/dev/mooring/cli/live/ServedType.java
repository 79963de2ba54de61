package dev.mooring.cli.live;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A type that a server serves, in the version that it prefers. */
public record ServedType(ResourceType resource, String kind, boolean namespaced) {
  private static final String CORE = "api/v1";

  public GroupResource groupResource() {
    return GroupResource.of(resource);
  }

  /**
   * As kubectl finds types: by plural, singular, short name or kind, with or without {@code
   * .<group>}.
   *
   * @throws KubeFailure if the server cannot say
   */
  public static Optional<ServedType> named(KubeReader server, String asked) {
    GroupResource name = GroupResource.parse(asked.toLowerCase(Locale.ROOT));
    return find(
        server,
        group -> name.group().isEmpty() || group.equals(name.group()),
        type -> isCalled(type, name.resource()));
  }

  /** By group and kind. */
  public static Optional<ServedType> ofKind(KubeReader server, String group, String kind) {
    return find(server, group::equals, type -> kind.equals(Trees.at(type, "kind")));
  }

  private static boolean isCalled(Object type, String name) {
    return name.equals(Trees.at(type, "name"))
        || name.equals(Trees.at(type, "singularName"))
        || name.equals(Trees.text(type, "kind").toLowerCase(Locale.ROOT))
        || Trees.texts(Trees.at(type, "shortNames")).contains(name);
  }

  /** All that {@link #named} finds; throws {@link KubeFailure} if the server cannot say. */
  public static List<String> names(KubeReader server) {
    return all(server, _ -> true, _ -> true)
        .flatMap(
            each -> Stream.of(each.resource().resource(), each.kind().toLowerCase(Locale.ROOT)))
        .distinct()
        .toList();
  }

  private static Optional<ServedType> find(
      KubeReader server, Predicate<String> group, Predicate<Object> type) {
    return all(server, group, type).findFirst();
  }

  private static Stream<ServedType> all(
      KubeReader server, Predicate<String> group, Predicate<Object> type) {
    Stream<String> core = group.test("") ? Stream.of(CORE) : Stream.of();
    // Not read where a core type is the answer.
    Stream<String> others =
        Stream.of("apis")
            .flatMap(apis -> server.document(apis).list("groups").stream())
            .filter(each -> group.test(Trees.text(each, "name")))
            .map(each -> "apis/" + Trees.text(each, "preferredVersion", "groupVersion"));
    return Stream.concat(core, others)
        .flatMap(path ->
            served(server, path).stream()
                .filter(each -> !Trees.text(each, "name").contains("/"))
                .filter(type)
                .map(each -> of(path, each)));
  }

  /** Empty if the group went in the meantime, or its server does not answer. */
  private static List<Object> served(KubeReader server, String path) {
    try {
      return server.document(path).list("resources");
    } catch (KubeFailure failure) {
      return List.of();
    }
  }

  private static ServedType of(String path, Object type) {
    String[] parts = path.split("/");
    boolean core = path.equals(CORE);
    return new ServedType(
        new ResourceType(
            core ? "" : parts[1], core ? parts[1] : parts[2], Trees.text(type, "name")),
        Trees.text(type, "kind"),
        Boolean.TRUE.equals(Trees.at(type, "namespaced")));
  }

  /** As the user types an object of it to kubectl. */
  public String kubectlName(KubeObject object) {
    return resource.qualified()
        + " "
        + object.name()
        + (namespaced ? " -n " + object.namespace() : "");
  }

  /** As messages name an object of it. */
  public String named(KubeObject object) {
    return kind + " " + (namespaced ? object.namespace() + "/" : "") + object.name();
  }
}
