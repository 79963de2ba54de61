package dev.mooring.acceptance;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import io.fabric8.certmanager.api.model.v1.Certificate;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.kubernetes.client.openapi.JSON;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What Kubernetes' API says about fields: unknown ones, required ones, and types. Kinds of
 * Kubernetes itself are checked by the models that its project generates from the API's own
 * description; Certificates, ServiceMonitors and PrometheusRules by those of their CRDs.
 */
final class KubernetesSchema {
  private static final String MODELS = "io.kubernetes.client.openapi.models.V1";
  private static final Map<String, Class<?>> OF_CRDS =
      Map.of(
          "cert-manager.io/v1/Certificate",
          Certificate.class,
          "monitoring.coreos.com/v1/ServiceMonitor",
          ServiceMonitor.class,
          "monitoring.coreos.com/v1/PrometheusRule",
          PrometheusRule.class);

  private KubernetesSchema() {}

  /** What is wrong with the object; empty if the API would take its fields. */
  static List<String> problems(KubeObject object) {
    JsonElement json = new Gson().toJsonTree(Trees.thaw(object.tree()));
    Class<?> ofCrd = OF_CRDS.get(object.apiVersion() + "/" + object.kind());
    return ofCrd == null ? builtIn(object, json) : custom(ofCrd, json);
  }

  private static List<String> builtIn(KubeObject object, JsonElement json) {
    if (!object.apiVersion().matches("(.*/)?v1")) {
      return List.of("no schema of " + object.apiVersion() + " " + object.kind());
    }
    try {
      Class<?> model = Class.forName(MODELS + object.kind());
      model.getMethod("validateJsonElement", JsonElement.class).invoke(null, json);
      JSON.getGson().fromJson(json, model);
      return List.of();
    } catch (InvocationTargetException e) {
      return List.of(String.valueOf(e.getCause().getMessage()));
    } catch (ReflectiveOperationException e) {
      return List.of("no schema of " + object.apiVersion() + " " + object.kind());
    } catch (RuntimeException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * These models keep fields that they do not know; they are found as what is left beside theirs.
   */
  private static List<String> custom(Class<?> model, JsonElement json) {
    Object read = new KubernetesSerialization().unmarshal(json.toString(), model);
    var unknown = new ArrayList<String>();
    addUnknown(read, "", unknown);
    return unknown;
  }

  private static void addUnknown(Object value, String path, List<String> unknown) {
    switch (value) {
      case null -> {}
      case List<?> list -> list.forEach(item -> addUnknown(item, path + "[]", unknown));
      case Object bean when bean.getClass().getName().startsWith("io.fabric8.") -> {
        for (var getter : bean.getClass().getMethods()) {
          if (getter.getName().startsWith("get") && getter.getParameterCount() == 0) {
            try {
              Object field = getter.invoke(bean);
              String name = getter.getName().substring(3);
              if (!name.equals("AdditionalProperties")) {
                addUnknown(field, path + "." + name, unknown);
              } else if (field instanceof Map<?, ?> more) {
                more.keySet().forEach(key -> unknown.add("unknown field " + path + "." + key));
              }
            } catch (ReflectiveOperationException e) {
              throw new IllegalStateException(e);
            }
          }
        }
      }
      default -> {}
    }
  }
}
