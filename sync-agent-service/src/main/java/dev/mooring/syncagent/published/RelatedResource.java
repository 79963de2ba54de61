package dev.mooring.syncagent.published;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.mutation.Mutations;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One entry of {@code spec.related}: objects that are synced with the primary.
 *
 * @param identifier unique within the PublishedResource
 * @param types the one type, as it is called on either side
 * @param identityHash empty unless another APIExport owns the type in kcp
 * @param namespace empty means the primary's own namespace, per side
 */
public record RelatedResource(
    String identifier,
    Side origin,
    Types types,
    String identityHash,
    Locator name,
    Optional<Locator> namespace,
    Cleanup cleanup,
    StatusSync statusSync,
    Mutations mutations) {
  private static final Types SECRETS =
      new Types(ResourceType.core("secrets"), ResourceType.core("secrets"));

  private static final Locator NOT_BOUND =
      Locator.read(Map.of("template", Map.of("template", "")), "object");

  /**
   * With what copies of {@code origin: service} go. Copies of a consumer's objects go with both.
   */
  public enum Cleanup {
    /** With the original, and kept when the primary goes; the default. */
    KEEP,
    /** With either of them. */
    DELETE,
    DELETE_WITH_PRIMARY,
    /** With neither. */
    ORPHAN;

    public boolean withOriginal() {
      return this == KEEP || this == DELETE;
    }

    public boolean withPrimary() {
      return this == DELETE || this == DELETE_WITH_PRIMARY;
    }
  }

  /** Whether the original's status goes to the copy. */
  public enum StatusSync {
    OFF,
    FORWARD
  }

  /** The type as it is called on either side; different where the entry projects it. */
  public record Types(ResourceType inKcp, ResourceType onService) {

    public ResourceType on(Side side) {
      return switch (side) {
        case KCP -> inKcp;
        case SERVICE -> onService;
      };
    }
  }

  /** Whether labels of Namespaces in kcp decide which objects the entry names. */
  public boolean selectsNamespacesInKcp() {
    return origin == Side.KCP && namespace.filter(Locator.Selector.class::isInstance).isPresent();
  }

  public ResourceType originalType() {
    return types.on(origin);
  }

  public ResourceType copyType() {
    return types.on(origin.other());
  }

  /**
   * An entry that was removed from {@code spec.related}, as its records describe it: it names no
   * object, and all its copies are deleted.
   */
  public static RelatedResource former(String identifier, Side origin, Types types) {
    return new RelatedResource(
        identifier,
        origin,
        types,
        "",
        NOT_BOUND,
        Optional.empty(),
        Cleanup.DELETE,
        StatusSync.OFF,
        Mutations.NONE);
  }

  static RelatedResource read(@Nullable Object tree, String field) {
    var problems = new Problems();
    Side origin = problems.read(Side.KCP, () -> origin(Trees.text(tree, "origin"), field));
    Object object = Trees.at(tree, "object");
    problems.check(() -> checkWatch(Trees.at(tree, "watch"), field + ".watch"));
    return problems.checked(
        new RelatedResource(
            problems.read("", () -> identifier(tree, origin, field)),
            origin,
            problems.read(SECRETS, () -> types(tree, origin, field)),
            Trees.text(tree, "identityHash"),
            problems.read(NOT_BOUND, () -> Locator.read(object, field + ".object")),
            Optional.ofNullable(Trees.at(object, "namespace"))
                .map(namespace ->
                    problems.read(
                        NOT_BOUND, () -> Locator.read(namespace, field + ".object.namespace"))),
            problems.read(Cleanup.KEEP, () -> cleanup(tree, origin, field)),
            Boolean.TRUE.equals(Trees.at(tree, "syncStatus")) ? StatusSync.FORWARD : StatusSync.OFF,
            problems.read(
                Mutations.NONE,
                () -> Mutations.read(Trees.at(tree, "mutation"), field + ".mutation"))));
  }

  private static String identifier(@Nullable Object tree, Side origin, String field) {
    String identifier = Trees.text(tree, "identifier");
    if (identifier.isEmpty()) {
      throw InvalidPublishedResource.spec(field + ".identifier is missing");
    }
    // It becomes part of an annotation's key.
    if (origin == Side.SERVICE
        && !identifier.matches("[A-Za-z0-9]([-A-Za-z0-9_.]{0,50}[A-Za-z0-9])?")) {
      throw InvalidPublishedResource.spec(
          "%s.identifier: \"%s\"; use letters, digits and inner \"-\", at most 52 characters"
              .formatted(field, identifier));
    }
    return identifier;
  }

  private static Cleanup cleanup(@Nullable Object tree, Side origin, String field) {
    boolean cleanup = Boolean.TRUE.equals(Trees.at(tree, "cleanup"));
    String policy = Trees.text(tree, "cleanupPolicy");
    Cleanup chosen =
        switch (policy) {
          case "" -> cleanup ? Cleanup.DELETE : Cleanup.KEEP;
          case "Orphan" -> Cleanup.ORPHAN;
          case "OnPrimaryDeletion" -> Cleanup.DELETE_WITH_PRIMARY;
          case "MatchOrigin" -> Cleanup.DELETE;
          default ->
              throw InvalidPublishedResource.spec(
                  "%s.cleanupPolicy: unknown value \"%s\"; use Orphan, OnPrimaryDeletion or MatchOrigin"
                      .formatted(field, policy));
        };
    if (cleanup && chosen == Cleanup.ORPHAN) {
      throw InvalidPublishedResource.spec(
          field + ".cleanupPolicy: Orphan contradicts cleanup: true; remove one of them");
    }
    // Copies of a consumer's objects never outlive the primary (R, section 4).
    return origin == Side.KCP ? Cleanup.DELETE : chosen;
  }

  /** Every change of a related object reaches its primaries anyway: there is nothing to keep. */
  private static void checkWatch(@Nullable Object watch, String field) {
    if (watch == null) {
      return;
    }
    Object byOwner = Trees.at(watch, "byOwner");
    Object bySelector = Trees.at(watch, "bySelector");
    if ((byOwner == null) == (bySelector == null)) {
      throw InvalidPublishedResource.spec(
          field + ": exactly one of byOwner or bySelector is needed");
    }
    if (bySelector != null) {
      LabelSelector.read(bySelector, field + ".bySelector");
    }
  }

  private static Side origin(String text, String field) {
    return switch (text) {
      case "service" -> Side.SERVICE;
      case "kcp", "platform" -> Side.KCP;
      default ->
          throw InvalidPublishedResource.spec(
              field + ".origin: \"" + text + "\"; use service or kcp");
    };
  }

  private static Types types(@Nullable Object tree, Side origin, String field) {
    ResourceType original = type(tree, field);
    Object projection = Trees.at(tree, "projection");
    ResourceType copy =
        new ResourceType(
            projected(projection, "group", original.group()),
            projected(projection, "version", original.version()),
            projected(projection, "resource", original.resource()));
    return origin == Side.KCP ? new Types(original, copy) : new Types(copy, original);
  }

  private static String projected(@Nullable Object projection, String part, String otherwise) {
    String text = Trees.text(projection, part);
    return text.isEmpty() ? otherwise : text;
  }

  static ResourceType type(@Nullable Object tree, String field) {
    String kind = Trees.text(tree, "kind");
    String resource = Trees.text(tree, "resource");
    String version = Trees.text(tree, "version");
    if (resource.isEmpty() && kind.isEmpty()) {
      throw InvalidPublishedResource.spec(field + ": resource and version are missing");
    }
    if (resource.isEmpty()) {
      return switch (kind) {
        case "Secret" -> ResourceType.core("secrets");
        case "ConfigMap" -> ResourceType.core("configmaps");
        default ->
            throw InvalidPublishedResource.spec(
                field + ".kind: \"" + kind + "\"; use Secret or ConfigMap");
      };
    }
    if (version.isEmpty()) {
      throw InvalidPublishedResource.spec(field + ".version is missing");
    }
    return new ResourceType(Trees.text(tree, "group"), version, resource);
  }
}
