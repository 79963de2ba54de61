package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One version of one resource as a logical cluster serves it: everything the HTTP layer and the
 * write pipeline need to know. Immutable; make one with {@link Builder}.
 *
 * @param resourceKey where its objects of all versions are stored
 * @param converter between this version and the stored one
 * @param fields which field labels a field selector may use, in addition to name and namespace,
 *     each with its path of map keys
 * @param columns of its Tables; empty for name and age only
 * @param computed present if a POST computes and nothing is stored
 * @param schema of the served version as OpenAPI v3, for /openapi; empty if none is published
 */
public record ResourceDefinition(
    ResourceType type,
    ResourceNames names,
    Scope scope,
    Origin origin,
    Set<Verb> verbs,
    ResourceKey resourceKey,
    VersionConverter converter,
    Decoder decoder,
    ResourceStrategy strategy,
    Map<String, Subresource> subresources,
    Map<String, List<String>> fields,
    List<PrinterColumn> columns,
    Optional<Computation> computed,
    Map<String, Object> schema) {
  /**
   * Reads a body as the resource understands it: unknown fields are dropped, reported through
   * {@link WriteContext#warn} or refused, as the field validation asks.
   */
  @FunctionalInterface
  public interface Decoder {
    /** Throws {@link UnreadableObject} for values of a wrong type. */
    KubeObject decode(KubeObject body, WriteContext context);

    /** As {@link #decode}, of what a patch made of an object. */
    default KubeObject decodePatched(KubeObject patched, WriteContext context) {
      return decode(patched, context);
    }
  }

  /** Answers a POST without storing anything, such as an access review or a token request. */
  @FunctionalInterface
  public interface Computation {
    /**
     * Throws {@link ApiFailure}.
     *
     * @param name of the parent object for a subresource; empty otherwise
     */
    KubeObject create(String name, KubeObject body, WriteContext context);
  }

  /** Whose texts and habits apply: those of typed resources, or those of custom resources. */
  public enum Origin {
    BUILT_IN,
    CUSTOM
  }

  /** All that can be done with a stored resource. */
  public static final Set<Verb> ALL_VERBS = Set.copyOf(EnumSet.allOf(Verb.class));

  public ResourceDefinition {
    verbs = Set.copyOf(verbs);
    subresources = java.util.Collections.unmodifiableMap(new TreeMap<>(subresources));
    fields = Map.copyOf(fields);
    columns = List.copyOf(columns);
  }

  /** Throws {@link ApiFailure} 400 for a body that is no object of this kind. */
  public KubeObject decode(KubeObject body, WriteContext context) {
    try {
      return decoder.decode(body, context);
    } catch (UnreadableObject unreadable) {
      throw ApiFailure.badRequest(String.valueOf(unreadable.getMessage()));
    }
  }

  public boolean namespaced() {
    return scope == Scope.NAMESPACED;
  }

  public String kind() {
    return names.kind();
  }

  /** Starts with all verbs, no subresources, and the key of the same group and resource. */
  public static Builder define(ResourceType type, ResourceNames names, Scope scope) {
    return new Builder(type, names, scope);
  }

  /** A copy to change. */
  public Builder toBuilder() {
    var copy = new Builder(type, names, scope);
    copy.origin = origin;
    copy.verbs = verbs;
    copy.resourceKey = resourceKey;
    copy.converter = converter;
    copy.decoder = decoder;
    copy.strategy = strategy;
    copy.subresources.putAll(subresources);
    copy.fields = fields;
    copy.columns = columns;
    copy.computed = computed;
    copy.schema = schema;
    return copy;
  }

  /** Collects the parts of a definition. */
  public static final class Builder {
    private final ResourceType type;
    private final ResourceNames names;
    private final Scope scope;
    private Origin origin = Origin.BUILT_IN;
    private Set<Verb> verbs = ALL_VERBS;
    private ResourceKey resourceKey;
    private VersionConverter converter = VersionConverter.Identity.SAME;
    private Decoder decoder = (body, _) -> body;
    private ResourceStrategy strategy = new ResourceStrategy() {};
    private final Map<String, Subresource> subresources = new TreeMap<>();
    private Map<String, List<String>> fields = Map.of();
    private List<PrinterColumn> columns = List.of();
    private Optional<Computation> computed = Optional.empty();
    private Map<String, Object> schema = Map.of();

    private Builder(ResourceType type, ResourceNames names, Scope scope) {
      this.type = type;
      this.names = names;
      this.scope = scope;
      this.resourceKey = ResourceKey.of(type.group(), type.resource());
    }

    public Builder origin(Origin value) {
      origin = value;
      return this;
    }

    public Builder verbs(Set<Verb> value) {
      verbs = value;
      return this;
    }

    public Builder resourceKey(ResourceKey value) {
      resourceKey = value;
      return this;
    }

    public Builder converter(VersionConverter value) {
      converter = value;
      return this;
    }

    public Builder decoder(Decoder value) {
      decoder = value;
      return this;
    }

    public Builder strategy(ResourceStrategy value) {
      strategy = value;
      return this;
    }

    public Builder subresource(String name, Subresource value) {
      subresources.put(name, value);
      return this;
    }

    public Builder fields(Map<String, List<String>> value) {
      fields = value;
      return this;
    }

    public Builder columns(List<PrinterColumn> value) {
      columns = value;
      return this;
    }

    /** Leaves POST as the only verb. */
    public Builder computed(Computation value) {
      computed = Optional.of(value);
      verbs = Set.of(Verb.CREATE);
      return this;
    }

    public Builder schema(Map<String, Object> value) {
      schema = value;
      return this;
    }

    public ResourceDefinition build() {
      return new ResourceDefinition(
          type,
          names,
          scope,
          origin,
          verbs,
          resourceKey,
          converter,
          decoder,
          strategy,
          subresources,
          fields,
          columns,
          computed,
          schema);
    }
  }
}
