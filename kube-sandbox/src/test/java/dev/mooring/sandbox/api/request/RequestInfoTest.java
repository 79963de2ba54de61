package dev.mooring.sandbox.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.Verb;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestInfoTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final ResourceType WIDGETS = new ResourceType("a.io", "v2", "widgets");
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private static Optional<RequestInfo> parse(String method, String path, boolean watch) {
    List<String> segments = Arrays.stream(path.split("/")).filter(s -> !s.isEmpty()).toList();
    return RequestInfo.parse(method, segments, watch);
  }

  private static RequestInfo info(String method, String path) {
    return parse(method, path, false).orElseThrow();
  }

  @Test
  void readsCollectionsAndObjects() {
    assertThat(info("GET", "/api/v1/namespaces/n/secrets"))
        .isEqualTo(new RequestInfo(Verb.LIST, SECRETS, "n", "", ""));
    assertThat(info("GET", "/api/v1/namespaces/n/secrets/s"))
        .isEqualTo(new RequestInfo(Verb.GET, SECRETS, "n", "s", ""));
    assertThat(info("DELETE", "/apis/a.io/v2/widgets"))
        .isEqualTo(new RequestInfo(Verb.DELETECOLLECTION, WIDGETS, "", "", ""));
    assertThat(info("PUT", "/apis/a.io/v2/namespaces/n/widgets/w/status"))
        .isEqualTo(new RequestInfo(Verb.UPDATE, WIDGETS, "n", "w", "status"));
  }

  @Test
  void readsNamespacesThemselves() {
    assertThat(info("POST", "/api/v1/namespaces"))
        .isEqualTo(new RequestInfo(Verb.CREATE, NAMESPACES, "", "", ""));
    assertThat(info("DELETE", "/api/v1/namespaces/n"))
        .isEqualTo(new RequestInfo(Verb.DELETE, NAMESPACES, "n", "n", ""));
    assertThat(info("PUT", "/api/v1/namespaces/n/finalize"))
        .isEqualTo(new RequestInfo(Verb.UPDATE, NAMESPACES, "n", "n", "finalize"));
  }

  @Test
  void readsBothFormsOfWatching() {
    assertThat(parse("GET", "/api/v1/secrets", true))
        .contains(new RequestInfo(Verb.WATCH, SECRETS, "", "", ""));
    assertThat(info("GET", "/api/v1/watch/namespaces/n/secrets/s"))
        .isEqualTo(new RequestInfo(Verb.WATCH, SECRETS, "n", "s", ""));
    assertThat(info("DELETE", "/api/v1/watch/namespaces/n/secrets/s").verb()).isEqualTo(Verb.WATCH);
  }

  @Test
  void leavesDiscoveryAlone() {
    for (String path :
        List.of(
            "/",
            "/api",
            "/api/v1",
            "/apis",
            "/apis/a.io",
            "/apis/a.io/v1",
            "/version",
            "/openapi/v3")) {
      assertThat(parse("GET", path, false)).as(path).isEmpty();
    }
  }
}
