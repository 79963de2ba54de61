package dev.mooring.sandbox.security.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.authorization.Decision;
import org.junit.jupiter.api.Test;

class AccessReviewsTest {
  private static final WriteContext CONTEXT =
      WriteContext.internal(new LogicalCluster("root"), "n", "test");

  private final AccessReviews reviews = new AccessReviews(_ -> new Decision.Allowed(""));

  private static KubeObject review(String json) {
    return KubeJson.readObject(json.replace('\'', '"'));
  }

  @Test
  void showsAPathAsGoDoesBesideAResource() {
    KubeObject both =
        review(
            "{'spec':{'nonResourceAttributes':{'path':'/x'},'resourceAttributes':{'verb':'get'}}}");

    assertThat(catchThrowable(() -> reviews.self("", both, CONTEXT)))
        .isInstanceOf(ApiFailure.class)
        .hasMessage(
            ".authorization.k8s.io \"\" is invalid: spec.nonResourceAttributes: Invalid value:"
                + " {\"Path\":\"/x\",\"Verb\":\"\"}: cannot be specified in combination with"
                + " resourceAttributes");
  }

  @Test
  void showsAPathAsGoDoesInANamespace() {
    KubeObject path =
        review("{'spec':{'user':'u','nonResourceAttributes':{'path':'/x','verb':'get'}}}");

    assertThat(catchThrowable(() -> reviews.local("", path, CONTEXT)))
        .isInstanceOf(ApiFailure.class)
        .hasMessage(
            ".authorization.k8s.io \"\" is invalid: spec.nonResourceAttributes: Invalid value:"
                + " {\"Path\":\"/x\",\"Verb\":\"get\"}: disallowed on this kind of request");
  }
}
