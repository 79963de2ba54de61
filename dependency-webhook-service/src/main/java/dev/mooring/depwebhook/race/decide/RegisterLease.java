package dev.mooring.depwebhook.race.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Lease of one register page: records as JSON in annotations, and {@code spec} fields that
 * {@code kubectl get leases} shows. A Lease that cannot be parsed throws {@link Unreadable}: an
 * empty page would allow what its records forbid.
 */
public final class RegisterLease {
  public static final ResourceType TYPE = new ResourceType("coordination.k8s.io", "v1", "leases");

  /** On every Lease of the register. */
  public static final String LABEL = "dependencies.opendefense.cloud/race-register";

  static final String REFERENCES = "dependencies.opendefense.cloud/race-references";
  static final String DELETIONS = "dependencies.opendefense.cloud/race-deletions";
  static final String TARGET = "dependencies.opendefense.cloud/race-target";

  /** MicroTime, as a Lease's fields are. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private RegisterLease() {}

  /** The Lease does not have the register's format. */
  public static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(KubeObject lease, String problem) {
      super(
          ("Lease %s/%s of the race register cannot be read: %s; delete it three minutes after the"
                  + " last attempt to delete, or to refer to, the target that its annotation %s"
                  + " names")
              .formatted(lease.namespace(), lease.name(), problem, TARGET));
    }
  }

  /** A new Lease without a page; {@link #page} fails until {@link #with} has added one. */
  public static KubeObject empty(String namespace, String name, RegisterKey key) {
    return KubeObject.of(TYPE, "Lease", namespace, name)
        .with(Map.of(LABEL, "page"), "metadata", "labels")
        .with(Map.of(TARGET, key.toString()), "metadata", "annotations");
  }

  public static RegisterPage page(KubeObject lease) {
    return new RegisterPage(
        records(lease, REFERENCES).stream().map(record -> referenceClaim(lease, record)).toList(),
        records(lease, DELETIONS).stream().map(record -> deletionClaim(lease, record)).toList());
  }

  public static KubeObject with(
      KubeObject lease, RegisterPage page, Instant now, RaceTimings timings) {
    return lease
        .with(
            KubeJson.writeText(page.referenceClaims().stream().map(RegisterLease::tree).toList()),
            "metadata",
            "annotations",
            REFERENCES)
        .with(
            KubeJson.writeText(page.deletionClaims().stream().map(RegisterLease::tree).toList()),
            "metadata",
            "annotations",
            DELETIONS)
        .with(MICROS.format(now), "spec", "renewTime")
        .with(timings.kept().toSeconds(), "spec", "leaseDurationSeconds");
  }

  private static Map<String, Object> tree(ReferenceClaim one) {
    DependentId dependent = one.dependent();
    LinkedHashMap<String, Object> tree =
        Trees.ordered(
            "id", one.id(),
            "at", one.at().toString(),
            "group", dependent.type().group(),
            "version", dependent.type().version(),
            "resource", dependent.type().resource(),
            "namespace", dependent.namespace(),
            "name", dependent.name(),
            "uid", dependent.uid(),
            "in", one.targetNamespace());
    if (one.request() instanceof ReferenceClaim.Request.Change(var base)) {
      tree.put("base", base);
    }
    return tree;
  }

  private static Map<String, Object> tree(DeletionClaim one) {
    return Trees.ordered(
        "id", one.id(),
        "at", one.at().toString(),
        "uid", one.uid());
  }

  private static ReferenceClaim referenceClaim(KubeObject lease, Map<String, Object> record) {
    var dependent =
        new DependentId(
            new ResourceType(
                text(lease, record, "group"),
                required(lease, record, "version"),
                required(lease, record, "resource")),
            text(lease, record, "namespace"),
            required(lease, record, "name"),
            text(lease, record, "uid"));
    return new ReferenceClaim(
        required(lease, record, "id"),
        dependent,
        text(lease, record, "in"),
        record.get("base") instanceof String base
            ? new ReferenceClaim.Request.Change(base)
            : new ReferenceClaim.Request.Creation(),
        at(lease, record));
  }

  private static DeletionClaim deletionClaim(KubeObject lease, Map<String, Object> record) {
    return new DeletionClaim(
        required(lease, record, "id"), text(lease, record, "uid"), at(lease, record));
  }

  private static List<Map<String, Object>> records(KubeObject lease, String annotation) {
    String json =
        lease
            .annotation(annotation)
            .orElseThrow(() -> new Unreadable(lease, "it has no annotation " + annotation));
    try {
      if (KubeJson.read(json) instanceof List<?> list) {
        return list.stream().<Map<String, Object>>map(Trees::mapOrEmpty).toList();
      }
    } catch (MalformedJson e) {
      throw new Unreadable(lease, String.valueOf(e.getMessage()));
    }
    throw new Unreadable(lease, "annotation " + annotation + " is no list");
  }

  /** A field that names something, and so is not empty. */
  private static String required(KubeObject lease, Map<String, Object> record, String field) {
    String text = text(lease, record, field);
    if (text.isEmpty()) {
      throw new Unreadable(lease, "a record has no " + field);
    }
    return text;
  }

  /** May be empty, but not missing. */
  private static String text(KubeObject lease, Map<String, Object> record, String field) {
    if (record.get(field) instanceof String text) {
      return text;
    }
    throw new Unreadable(lease, "a record has no " + field);
  }

  private static Instant at(KubeObject lease, Map<String, Object> record) {
    try {
      return Instant.parse(text(lease, record, "at"));
    } catch (DateTimeParseException e) {
      throw new Unreadable(lease, String.valueOf(e.getMessage()));
    }
  }
}
