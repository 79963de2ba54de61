package dev.mooring.model.published;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.Trees;
import java.util.Objects;
import java.util.Optional;

/**
 * One entry of {@code spec.related}: an object beside the primary that is kept in step with it.
 *
 * @param identifier unique within the PublishedResource
 * @param type the same on both sides
 * @param identityHash empty unless another APIExport owns the type in kcp
 * @param namespace empty means the primary's own namespace, per side
 */
public record RelatedResource(
    String identifier,
    Origin origin,
    ResourceType type,
    String identityHash,
    Locator name,
    Optional<Locator> namespace,
    Cleanup cleanup) {
  public RelatedResource {
    Objects.requireNonNull(identifier, "identifier");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(identityHash, "identityHash");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(cleanup, "cleanup");
  }

  /** Where the original is: the side whose word counts. */
  public enum Origin {
    SERVICE,
    KCP
  }

  /** What becomes of copies when the primary goes. */
  public enum Cleanup {
    KEEP,
    DELETE
  }

  static RelatedResource read(Object tree, String field) {
    String identifier = Trees.textOrEmpty(Trees.at(tree, "identifier"));
    if (identifier.isEmpty()) {
      throw invalid(field + ".identifier is missing");
    }
    Object object = Trees.at(tree, "object");
    Object namespace = Trees.at(object, "namespace");
    Origin origin = origin(Trees.textOrEmpty(Trees.at(tree, "origin")), field);
    boolean cleanup = Boolean.TRUE.equals(Trees.at(tree, "cleanup"));
    refuseUnsupported(tree, field);
    return new RelatedResource(
        identifier,
        origin,
        type(tree, field),
        Trees.textOrEmpty(Trees.at(tree, "identityHash")),
        Locator.read(object, field + ".object"),
        namespace == null
            ? Optional.empty()
            : Optional.of(Locator.read(namespace, field + ".object.namespace")),
        // Copies of a consumer's objects never outlive the primary (R, section 4).
        cleanup || origin == Origin.KCP ? Cleanup.DELETE : Cleanup.KEEP);
  }

  private static void refuseUnsupported(Object tree, String field) {
    for (String option : new String[] {"projection", "mutation", "syncStatus"}) {
      Object value = Trees.at(tree, option);
      if (value != null && !Boolean.FALSE.equals(value) && !Trees.mapOrEmpty(value).isEmpty()
          || Boolean.TRUE.equals(value)) {
        throw new InvalidPublishedResource(
            InvalidPublishedResource.Reason.NOT_SUPPORTED,
            field + "." + option + " is not supported yet");
      }
    }
  }

  private static Origin origin(String text, String field) {
    return switch (text) {
      case "service" -> Origin.SERVICE;
      case "kcp", "platform" -> Origin.KCP;
      default -> throw invalid(field + ".origin: \"" + text + "\"; use service or kcp");
    };
  }

  private static ResourceType type(Object tree, String field) {
    String kind = Trees.textOrEmpty(Trees.at(tree, "kind"));
    String resource = Trees.textOrEmpty(Trees.at(tree, "resource"));
    String version = Trees.textOrEmpty(Trees.at(tree, "version"));
    if (resource.isEmpty() && kind.isEmpty()) {
      throw invalid(field + ": resource and version are missing");
    }
    if (resource.isEmpty()) {
      return switch (kind) {
        case "Secret" -> ResourceType.core("secrets");
        case "ConfigMap" -> ResourceType.core("configmaps");
        default -> throw invalid(field + ".kind: \"" + kind + "\"; use Secret or ConfigMap");
      };
    }
    if (version.isEmpty()) {
      throw invalid(field + ".version is missing");
    }
    return new ResourceType(Trees.textOrEmpty(Trees.at(tree, "group")), version, resource);
  }

  private static InvalidPublishedResource invalid(String message) {
    return new InvalidPublishedResource(InvalidPublishedResource.Reason.INVALID_SPEC, message);
  }
}
