package dev.mooring.sandbox.builtin.workload;

import dev.mooring.model.object.Trees;
import java.util.Map;

/** What Kubernetes fills into the specs of pods and their templates. Pure. */
final class PodDefaults {
  private PodDefaults() {}

  static Defaults spec(Defaults spec) {
    return spec.value("restartPolicy", "Always")
        .value("terminationGracePeriodSeconds", 30L)
        .value("dnsPolicy", "ClusterFirst")
        .value("securityContext", Map.of())
        .value("schedulerName", "default-scheduler")
        .each("containers", PodDefaults::container)
        .each("initContainers", PodDefaults::container);
  }

  private static Defaults container(Defaults container) {
    return container
        .value("terminationMessagePath", "/dev/termination-log")
        .value("terminationMessagePolicy", "File")
        .value("imagePullPolicy", pullPolicy(Trees.textOrEmpty(container.get("image"))))
        .each("ports", port -> port.value("protocol", "TCP"));
  }

  /** An image with the tag latest, or without a tag, may change. */
  private static String pullPolicy(String image) {
    String name = image.substring(image.lastIndexOf('/') + 1);
    boolean fixed = image.contains("@") || name.contains(":") && !name.endsWith(":latest");
    return fixed ? "IfNotPresent" : "Always";
  }
}
