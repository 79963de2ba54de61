package dev.mooring.sandbox.admission.match;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.StructTypes;
import dev.mooring.sandbox.cel.library.KubernetesLibraries;
import java.util.Map;

/**
 * What the expressions of webhooks and policies may use (apiserver {@code
 * pkg/admission/plugin/cel/compile.go}).
 */
public final class AdmissionVariables {
  public static final String OBJECT = "object";
  public static final String OLD_OBJECT = "oldObject";
  public static final String REQUEST = "request";
  public static final String NAMESPACE = "namespaceObject";
  public static final String PARAMS = "params";
  public static final String AUTHORIZER = "authorizer";
  public static final String REQUEST_RESOURCE = "authorizer.requestResource";

  private static final CelType TEXT = SimpleType.STRING;
  private static final CelType TEXTS = ListType.create(TEXT);
  private static final CelType LABELS = MapType.create(TEXT, TEXT);

  private static final StructTypes TYPES =
      new StructTypes(
          Map.of(
              "kubernetes.GroupVersionKind", Map.of("group", TEXT, "version", TEXT, "kind", TEXT),
              "kubernetes.GroupVersionResource",
                  Map.of("group", TEXT, "version", TEXT, "resource", TEXT),
              "kubernetes.UserInfo",
                  Map.of(
                      "username", TEXT,
                      "uid", TEXT,
                      "groups", TEXTS,
                      "extra", MapType.create(TEXT, TEXTS)),
              "kubernetes.AdmissionRequest",
                  Map.ofEntries(
                      Map.entry("kind", struct("GroupVersionKind")),
                      Map.entry("resource", struct("GroupVersionResource")),
                      Map.entry("subResource", TEXT),
                      Map.entry("requestKind", struct("GroupVersionKind")),
                      Map.entry("requestResource", struct("GroupVersionResource")),
                      Map.entry("requestSubResource", TEXT),
                      Map.entry("name", TEXT),
                      Map.entry("namespace", TEXT),
                      Map.entry("operation", TEXT),
                      Map.entry("userInfo", struct("UserInfo")),
                      Map.entry("dryRun", SimpleType.BOOL),
                      Map.entry("options", SimpleType.DYN)),
              "kubernetes.Namespace",
                  Map.of(
                      "metadata", struct("NamespaceMetadata"),
                      "spec", struct("NamespaceSpec"),
                      "status", struct("NamespaceStatus")),
              "kubernetes.NamespaceMetadata",
                  Map.ofEntries(
                      Map.entry("name", TEXT),
                      Map.entry("generateName", TEXT),
                      Map.entry("namespace", TEXT),
                      Map.entry("labels", LABELS),
                      Map.entry("annotations", LABELS),
                      Map.entry("UID", TEXT),
                      Map.entry("creationTimestamp", SimpleType.TIMESTAMP),
                      Map.entry("deletionGracePeriodSeconds", SimpleType.INT),
                      Map.entry("deletionTimestamp", SimpleType.TIMESTAMP),
                      Map.entry("generation", SimpleType.INT),
                      Map.entry("resourceVersion", TEXT),
                      Map.entry("finalizers", TEXTS)),
              "kubernetes.NamespaceSpec", Map.of("finalizers", TEXTS),
              "kubernetes.NamespaceStatus", Map.of("phase", TEXT)));

  /** Without params and without the authorizer: what a message may use. */
  public static final CelEnvironment MESSAGE =
      new CelEnvironment(
          Map.of(
              OBJECT,
              SimpleType.DYN,
              OLD_OBJECT,
              SimpleType.DYN,
              REQUEST,
              struct("AdmissionRequest"),
              NAMESPACE,
              struct("Namespace")),
          TYPES);

  /** Without params: what a condition may use. */
  public static final CelEnvironment CONDITION = withAuthorizer(MESSAGE);

  private AdmissionVariables() {}

  private static CelType struct(String name) {
    return StructTypeReference.create("kubernetes." + name);
  }

  public static CelEnvironment withAuthorizer(CelEnvironment environment) {
    return environment
        .with(AUTHORIZER, KubernetesLibraries.AUTHORIZER)
        .with(REQUEST_RESOURCE, KubernetesLibraries.REQUEST_RESOURCE);
  }

  public static CelEnvironment withParams(CelEnvironment environment) {
    return environment.with(PARAMS, SimpleType.DYN);
  }
}
