package dev.mooring.acceptance;

import static dev.mooring.acceptance.ManagementCall.get;

import dev.mooring.acceptance.ManagementCall.Caller;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Of each operation of the management endpoints at least one request for each answer that can be
 * had from services that work.
 *
 * @param item that the service knows: a PublishedResource, or a provider's logical cluster
 * @param consumer logical cluster of a consumer
 * @param object name of a Certificate and a VPC of the consumer, in namespace default
 */
record OpenApiCalls(Program service, String item, String consumer, String object) {
  private static final String LOGGER = "/actuator/loggers/{name}";
  private static final String OBJECT =
      "/actuator/resync/{publishedResource}/{cluster}/{namespace}/{name}";
  private static final String NO_CLUSTER = "Not-A-Cluster";

  /** To a service that asks for tokens, and need not know the item. */
  List<ManagementCall> guarded() {
    var calls = new ArrayList<ManagementCall>();
    Stream.of(
            "/actuator",
            "/actuator/health",
            "/actuator/info",
            "/actuator/prometheus",
            "/healthz",
            "/readyz")
        .map(ManagementCall::get)
        .forEach(calls::add);
    Stream.of("readiness", "liveness", "nothing")
        .map(name -> get("/actuator/health/{component}", name))
        .forEach(calls::add);
    forEachCaller(get("/actuator/loggers")).forEach(calls::add);
    forEachCaller(get(LOGGER, "dev.mooring")).forEach(calls::add);
    calls.add(get(LOGGER, "none.of.this.name").by(Caller.OPERATOR));
    forEachCaller(setLevel("\"DEBUG\"")).forEach(calls::add);
    calls.add(setLevel("null").by(Caller.OPERATOR));
    calls.add(setLevel("\"LOUD\"").by(Caller.OPERATOR));
    forEachCaller(get("/actuator/status")).forEach(calls::add);
    forEachCaller(get(itemPath("status"), "unknown0")).forEach(calls::add);
    forEachCaller(ManagementCall.of("POST", "/actuator/resync")).forEach(calls::add);
    forEachCaller(ManagementCall.of("POST", itemPath("resync"), "unknown0")).forEach(calls::add);
    switch (service) {
      case SYNC_AGENT ->
          forEachCaller(ManagementCall.of("POST", OBJECT, item, consumer, "default", "none"))
              .forEach(calls::add);
      case DEPENDENCY_WEBHOOK -> forEachCaller(blockers(object)).forEach(calls::add);
      case DEPENDENCY_CONTROLLER, SANDBOX -> {}
    }
    return List.copyOf(calls);
  }

  /** To one that asks for none, and knows the item. */
  List<ManagementCall> open() {
    var calls = new ArrayList<ManagementCall>();
    calls.add(get("/actuator/health"));
    calls.add(get("/actuator/status"));
    calls.add(get(itemPath("status"), item));
    calls.add(ManagementCall.of("POST", "/actuator/resync"));
    calls.add(ManagementCall.of("POST", itemPath("resync"), item));
    switch (service) {
      case SYNC_AGENT -> {
        calls.add(ManagementCall.of("POST", OBJECT, item, consumer, "default", object));
        calls.add(ManagementCall.of("POST", OBJECT, item, NO_CLUSTER, "default", object));
      }
      case DEPENDENCY_CONTROLLER -> calls.addAll(invalidItem());
      case DEPENDENCY_WEBHOOK -> {
        calls.addAll(invalidItem());
        calls.add(blockers(object));
        calls.add(blockers("none"));
        calls.add(get("/actuator/blockers").asking("cluster=" + consumer));
        calls.add(
            get("/actuator/blockers")
                .asking("cluster=%s&resource=vpcs.a.b&name=a".formatted(NO_CLUSTER)));
        calls.add(
            get("/actuator/blockers")
                .asking(
                    "cluster=%s&resource=%s&name=a".formatted(consumer, Types.VPCS.qualified())));
      }
      case SANDBOX -> {}
    }
    return List.copyOf(calls);
  }

  private List<ManagementCall> invalidItem() {
    return List.of(
        get(itemPath("status"), NO_CLUSTER),
        ManagementCall.of("POST", itemPath("resync"), NO_CLUSTER));
  }

  private String itemPath(String endpoint) {
    return "/actuator/"
        + endpoint
        + (service == Program.SYNC_AGENT ? "/{publishedResource}" : "/{provider}");
  }

  private static ManagementCall setLevel(String level) {
    return ManagementCall.of("POST", LOGGER, "dev.mooring.openapi")
        .sending("{\"configuredLevel\": %s}".formatted(level));
  }

  private ManagementCall blockers(String name) {
    return get("/actuator/blockers")
        .asking(
            "cluster=%s&resource=%s&namespace=default&name=%s"
                .formatted(consumer, Types.VPCS.qualified(), name));
  }

  private static Stream<ManagementCall> forEachCaller(ManagementCall call) {
    return Stream.of(Caller.values()).map(call::by);
  }
}
