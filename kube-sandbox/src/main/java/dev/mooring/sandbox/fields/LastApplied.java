package dev.mooring.sandbox.fields;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.fields.ManagedFields.Writer;
import java.util.Map;

/**
 * What {@code kubectl apply} notes in an annotation, so that {@code kubectl apply --server-side}
 * takes over its fields without a conflict. Follows {@code
 * apimachinery/pkg/util/managedfields/internal/lastapplied*.go}. Pure.
 */
public final class LastApplied {
  /** The only manager whose applies read and write the annotation. */
  private static final String MANAGER = "kubectl";

  private static final String[] ANNOTATION = {
    "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"
  };

  private LastApplied() {}

  /** The fields of the annotation that have the value that it notes; empty without it. */
  static FieldSet of(Map<String, Object> live, FieldSchema schema, Writer writer) {
    if (!writer.manager().equals(MANAGER)) {
      return FieldSet.EMPTY;
    }
    Map<String, Object> noted;
    try {
      noted = Trees.mapOrEmpty(KubeJson.read(Trees.text(live, ANNOTATION)));
    } catch (MalformedJson e) {
      return FieldSet.EMPTY;
    }
    if (!writer.apiVersion().equals(noted.get("apiVersion"))
        || !FieldCheck.errors(noted, schema).isEmpty()) {
      return FieldSet.EMPTY;
    }
    FieldComparison since = FieldComparison.of(noted, live, schema);
    return FieldSet.owned(noted, schema).minus(since.changed()).minusRecursively(since.removed());
  }

  /** The applied object, whose annotation notes what has been applied, if it has one. */
  public static KubeObject noted(KubeObject applied, KubeObject wanted, Writer writer) {
    if (!writer.manager().equals(MANAGER) || applied.text(ANNOTATION).isEmpty()) {
      return applied;
    }
    return applied.with(GoText.json(wanted.without(ANNOTATION).tree()) + "\n", ANNOTATION);
  }
}
