package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.security.webhook.AuthenticationWebhook;
import dev.mooring.sandbox.security.webhook.AuthorizationWebhook;
import dev.mooring.sandbox.security.webhook.OrderedAuthorizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks that know users, and decide what users may do. */
class AccessIT {
  private static final String ROOT = "/clusters/root";
  private static final String TENANCY = "/apis/tenancy.kcp.io/v1alpha1/";

  @TempDir private static Path directory;

  @Test
  void aWebhookThatIsAskedFirstDecides() throws Exception {
    var reviews = new CopyOnWriteArrayList<KubeObject>();
    try (var webhook =
            new JsonServer(
                directory.resolve("webhook"),
                (_, body) -> {
                  KubeObject review = KubeJson.readObject(body);
                  reviews.add(review);
                  boolean denied = review.text("spec", "user").equals("system:anonymous");
                  return Map.of("status", Map.of("denied", denied, "reason", "says the webhook"));
                });
        KcpSandbox other =
            KcpSandbox.start(
                ServerOptions.in(directory.resolve("kcp-ordered"))
                    .withAccess(
                        AccessOptions.DEFAULT.withAuthorization(
                            new AuthorizationOptions(
                                List.of(
                                    OrderedAuthorizer.Step.WEBHOOK,
                                    OrderedAuthorizer.Step.ALWAYS_ALLOW_GROUPS,
                                    OrderedAuthorizer.Step.ALWAYS_ALLOW_PATHS,
                                    OrderedAuthorizer.Step.RBAC),
                                Optional.of(kubeconfig(webhook)),
                                AuthorizationWebhook.Terms.DEFAULT))))) {
      SandboxClient client = SandboxClient.of(other, "kcp-admin");
      SandboxClient masters = SandboxClient.of(other, "shard-admin");

      assertThat(client.get(ROOT + TENANCY + "workspaces").status()).isEqualTo(200);
      assertThat(masters.get("/livez").status()).isEqualTo(200);
      var refused = client.anonymous().get("/livez");

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.message())
          .isEqualTo(
              "forbidden: User \"system:anonymous\" cannot get path \"/livez\": says the webhook");
      assertThat(reviews)
          .extracting(review -> review.at("spec"))
          .contains(
              Map.of(
                  "user",
                  "kcp-admin",
                  "uid",
                  uid(reviews),
                  "group",
                  List.of("system:kcp:admin", "system:authenticated"),
                  "extra",
                  Map.of(
                      "authorization.kubernetes.io/cluster-name",
                      List.of("root"),
                      "authorization.kcp.io/cluster-name",
                      List.of("root")),
                  "resourceAttributes",
                  Map.of(
                      "verb",
                      "list",
                      "group",
                      "tenancy.kcp.io",
                      "version",
                      "v1alpha1",
                      "resource",
                      "workspaces")))
          .extracting(spec -> Trees.text(spec, "user"))
          .doesNotContain("shard-admin");
      assertThat(webhook.clients()).containsExactly("CN=the-sandbox");
    }
  }

  @Test
  void aWebhookKnowsMoreUsers() throws Exception {
    var reviews = new CopyOnWriteArrayList<KubeObject>();
    try (var webhook =
            new JsonServer(
                directory.resolve("token-webhook"),
                (_, body) -> {
                  KubeObject review = KubeJson.readObject(body);
                  reviews.add(review);
                  return Map.of(
                      "status",
                      switch (review.text("spec", "token")) {
                        case "good" ->
                            Map.of(
                                "authenticated",
                                true,
                                "user",
                                Map.of("username", "xavier", "groups", List.of("g1")));
                        case "elsewhere" ->
                            Map.of(
                                "authenticated",
                                true,
                                "user",
                                Map.of("username", "xavier"),
                                "audiences",
                                List.of("other"));
                        default -> Map.of("authenticated", false, "error", "no such token");
                      });
                });
        KcpSandbox other =
            KcpSandbox.start(
                ServerOptions.in(directory.resolve("kcp-token-webhook"))
                    .withAccess(
                        AccessOptions.DEFAULT.withTokenReviews(
                            new AccessOptions.TokenReviews(
                                kubeconfig(webhook), AuthenticationWebhook.Terms.DEFAULT))))) {
      SandboxClient client = SandboxClient.of(other, "kcp-admin");

      var refused = client.with("good").get(ROOT + "/api/v1/namespaces");
      client.with("good").get(ROOT + "/api/v1/namespaces");

      assertThat(refused.message()).contains("User \"xavier\" cannot list resource");
      assertThat(reviews)
          .extracting(review -> review.at("spec"))
          .containsExactly(
              Map.of("token", "good", "audiences", List.of("https://kcp.default.svc")));
      assertThat(client.with("elsewhere").get(ROOT + "/api/v1/namespaces").status()).isEqualTo(401);
      assertThat(review(client, "bad").text("error"))
          .isEqualTo("[invalid bearer token, no such token]");
      assertThat(review(client, "good").at("user"))
          .isEqualTo(Map.of("username", "xavier", "groups", List.of("g1", "system:authenticated")));
    }
  }

  private static String uid(List<KubeObject> reviews) {
    return reviews.getFirst().text("spec", "uid");
  }

  private static Path kubeconfig(JsonServer server) throws Exception {
    Files.writeString(directory.resolve("webhook-ca.crt"), server.authority());
    return Files.write(
        directory.resolve("webhook.kubeconfig"),
        KubeJson.write(
            Map.of(
                "current-context",
                "c",
                "contexts",
                List.of(Map.of("name", "c", "context", Map.of("cluster", "s", "user", "u"))),
                "users",
                List.of(Map.of("name", "u", "user", server.client("the-sandbox").kubeconfigUser())),
                "clusters",
                List.of(
                    Map.of(
                        "name",
                        "s",
                        "cluster",
                        Map.of(
                            "server",
                            server.url() + "/",
                            "certificate-authority",
                            "webhook-ca.crt"))))));
  }

  private static KubeObject review(SandboxClient client, String token) {
    return KubeObject.of(
        client
            .post(
                ROOT + "/apis/authentication.k8s.io/v1/tokenreviews",
                Map.of(
                    "apiVersion",
                    "authentication.k8s.io/v1",
                    "kind",
                    "TokenReview",
                    "spec",
                    Map.of("token", token)))
            .body()
            .map("status"));
  }
}
