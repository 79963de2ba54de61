package dev.mooring.sandbox.crd.definition;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.WebhookAddress;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.status.Conditions;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.schema.model.Formats;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How CustomResourceDefinitions are written. */
public final class CrdStrategy implements ResourceStrategy {
  public static final String CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

  private final ResourceType type;
  private final Set<String> reservedGroups;
  private final Supplier<String> now;

  /**
   * @param reservedGroups endings of groups in which users cannot define resources
   */
  public CrdStrategy(ResourceType type, Set<String> reservedGroups, Supplier<String> now) {
    this.type = type;
    this.reservedGroups = Set.copyOf(reservedGroups);
    this.now = now;
  }

  @Override
  public Generation generation() {
    return Generation.COUNTED;
  }

  @Override
  public PutRules putRules() {
    return new PutRules(false, false);
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    KubeObject filled = object;
    String kind = object.text("spec", "names", "kind");
    if (object.text("spec", "names", "singular").isEmpty() && !kind.isEmpty()) {
      filled = filled.with(kind.toLowerCase(Locale.ROOT), "spec", "names", "singular");
    }
    if (object.text("spec", "names", "listKind").isEmpty() && !kind.isEmpty()) {
      filled = filled.with(kind + "List", "spec", "names", "listKind");
    }
    Object service = object.at("spec", "conversion", "webhook", "clientConfig", "service");
    if (service != null && Trees.at(service, "port") == null) {
      filled =
          filled.with(
              WebhookAddress.DEFAULT_PORT,
              "spec",
              "conversion",
              "webhook",
              "clientConfig",
              "service",
              "port");
    }
    return object.at("spec", "conversion") == null
        ? filled.with("None", "spec", "conversion", "strategy")
        : filled;
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    requireNothingReserved(object);
    Object names = Map.of("plural", "", "kind", "");
    Map<String, Object> status =
        Trees.ordered("conditions", null, "acceptedNames", names, "storedVersions", null);
    return withStorageVersion(object.with(status, "status"));
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    requireNothingReserved(updated);
    return withStorageVersion(updated.with(current.at("status"), "status"));
  }

  private void requireNothingReserved(KubeObject object) {
    List<String> reserved =
        object.map("metadata", "annotations").keySet().stream()
            .filter(this::isReserved)
            .sorted()
            .map(key -> key + " is a reserved annotation")
            .toList();
    if (!reserved.isEmpty()) {
      throw ApiFailure.forbidden(type, object.name(), GoText.aggregate(reserved));
    }
    String group = object.text("spec", "group");
    if (reservedGroups.stream().anyMatch(group::endsWith)) {
      throw ApiFailure.forbidden(type, object.name(), group + " is a reserved group");
    }
  }

  private boolean isReserved(String annotation) {
    String domain =
        annotation.contains("/") ? annotation.substring(0, annotation.indexOf('/')) : annotation;
    return reservedGroups.stream()
        .anyMatch(group -> domain.equals(group) || domain.endsWith("." + group));
  }

  private static KubeObject withStorageVersion(KubeObject object) {
    for (Object version : object.list("spec", "versions")) {
      if (Boolean.TRUE.equals(Trees.at(version, "storage"))) {
        List<Object> stored = object.list("status", "storedVersions");
        Object name = Trees.at(version, "name");
        if (stored.contains(name)) {
          return object;
        }
        var extended = new ArrayList<>(stored);
        extended.add(name);
        return object.with(extended, "status", "storedVersions");
      }
    }
    return object;
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    return warned(CrdValidator.onCreate(object), object, Set.of(), context);
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return warned(
        CrdValidator.onUpdate(updated, current), updated, unknownFormats(current), context);
  }

  /** With a warning of each format that no value is checked for. */
  private static List<FieldError> warned(
      List<FieldError> errors, KubeObject object, Set<String> known, WriteContext context) {
    if (errors.isEmpty()) {
      unknownFormats(object).stream()
          .filter(format -> !known.contains(format))
          .forEach(format -> context.warn("unrecognized format " + GoQuotes.quote(format)));
    }
    return errors;
  }

  private static Set<String> unknownFormats(KubeObject object) {
    var unknown = new LinkedHashSet<String>();
    object
        .list("spec", "versions")
        .forEach(
            version -> unknownFormats(Trees.at(version, "schema", "openAPIV3Schema"), unknown));
    return unknown;
  }

  private static void unknownFormats(@Nullable Object schema, Set<String> unknown) {
    String format = Trees.text(schema, "format");
    if (!format.isEmpty() && Formats.supported(Trees.text(schema, "type"), format).isEmpty()) {
      unknown.add(format);
    }
    Trees.mapOrEmpty(Trees.at(schema, "properties"))
        .values()
        .forEach(property -> unknownFormats(property, unknown));
    for (String field : List.of("items", "additionalProperties")) {
      if (Trees.at(schema, field) instanceof Map<?, ?> nested) {
        unknownFormats(nested, unknown);
      }
    }
  }

  /** Held back until its objects are gone, which takes a controller. */
  @Override
  public KubeObject prepareForDelete(KubeObject object) {
    return Conditions.set(
        object
            .withFinalizer(CLEANUP_FINALIZER)
            // Kubernetes marks a definition itself, and neither counts nor waits.
            .without("metadata", "deletionGracePeriodSeconds")
            .with(object.generation() - 1, "metadata", "generation"),
        new Conditions.Condition(
            "Terminating",
            "True",
            "InstanceDeletionPending",
            "CustomResourceDefinition marked for deletion; CustomResource deletion will begin"
                + " soon"),
        now.get());
  }

  /** Never at once: the first request always leaves it to the controller. */
  @Override
  public boolean canRemove(KubeObject object) {
    return object.deleting() && object.finalizers().isEmpty();
  }

  /** How the status is written: it alone. */
  public static final class Status implements ResourceStrategy {
    @Override
    public Generation generation() {
      return Generation.COUNTED;
    }

    @Override
    public PutRules putRules() {
      return new PutRules(false, false);
    }

    @Override
    public KubeObject prepareForUpdate(
        KubeObject updated, KubeObject current, WriteContext context) {
      return updated.with(current.at("spec"), "spec");
    }
  }
}
