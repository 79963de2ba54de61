package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.security.webhook.AuthenticationWebhook;
import dev.mooring.sandbox.security.webhook.AuthorizationWebhook;
import dev.mooring.sandbox.security.webhook.OrderedAuthorizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Users of other issuers, of the whole server and of workspaces, and webhooks that decide what
 * users may do. The server has two shards, so that a workspace and the configuration of its type
 * are on different ones. kcp's own tests of the same are in its test/e2e/authentication and
 * test/e2e/authorizer.
 */
class AccessIT {
  private static final String ROOT = "/clusters/root";
  private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final String TENANCY = "/apis/tenancy.kcp.io/v1alpha1/";

  @TempDir private static Path directory;
  private static MockIssuer ofServer;
  private static MockIssuer ofWorkspaces;
  private static KcpSandbox sandbox;
  private static Tenants kcp;

  @BeforeAll
  static void start() throws Exception {
    ofServer = new MockIssuer(directory.resolve("server-issuer"));
    ofWorkspaces = new MockIssuer(directory.resolve("workspace-issuer"));
    sandbox =
        KcpSandbox.start(
            ServerOptions.in(directory.resolve("kcp"))
                .withShards(2)
                .withFeatures(FeatureGate.WORKSPACE_AUTHENTICATION)
                .withAccess(
                    AccessOptions.DEFAULT.withOidc(
                        new OidcOptions.ConfigFile(configuration("config.json", entry())))));
    kcp = new Tenants(SandboxClient.of(sandbox, "kcp-admin"), "shard-1");
  }

  @AfterAll
  static void stop() {
    sandbox.close();
    ofServer.close();
    ofWorkspaces.close();
  }

  private static Map<String, Object> entry() {
    return Map.of(
        "issuer",
        Map.of(
            "url",
            ofServer.url(),
            "audiences",
            List.of(MockIssuer.AUDIENCE),
            "certificateAuthority",
            ofServer.authority()),
        "claimMappings",
        Map.of(
            "username",
            Map.of("claim", "email", "prefix", "oidc:"),
            "groups",
            Map.of("expression", "claims.roles.map(role, 'oidc:' + role)"),
            "uid",
            Map.of("claim", "sub"),
            "extra",
            List.of(Map.of("key", "example.com/team", "valueExpression", "claims.org__dot__team"))),
        "claimValidationRules",
        List.of(
            Map.of("claim", "tenant", "requiredValue", "acme"),
            Map.of("expression", "claims.level >= 1", "message", "the level is too low")),
        "userValidationRules",
        List.of(
            Map.of("expression", "!user.username.endsWith('-')", "message", "no dash at the end")));
  }

  private static Map<String, Object> claims(Map<String, Object> others) {
    var claims = new LinkedHashMap<String, Object>();
    claims.put("email", "ann");
    claims.put("roles", List.of("crew", ""));
    claims.put("tenant", "acme");
    claims.put("level", 1L);
    claims.put("org.team", "blue");
    claims.putAll(others);
    return claims;
  }

  private static Path configuration(String name, Map<String, Object> entry) throws Exception {
    return configuration(name, "jwt", List.of(entry));
  }

  private static Path configuration(String name, String field, Object value) throws Exception {
    return Files.write(
        directory.resolve(name),
        KubeJson.write(
            Map.of(
                "apiVersion",
                "apiserver.config.k8s.io/v1",
                "kind",
                "AuthenticationConfiguration",
                field,
                value)));
  }

  @Test
  void claimsBecomeAUser() {
    String workspace = kcp.workspace("universal", "oidc:ann");

    KubeObject user = kcp.who(workspace, ofServer.token(claims(Map.of())));

    assertThat(user.text("username")).isEqualTo("oidc:ann");
    assertThat(user.text("uid")).isEqualTo("subject");
    assertThat(user.list("groups")).containsExactly("oidc:crew", "oidc:", "system:authenticated");
    assertThat(user.map("extra"))
        .containsOnly(
            Map.entry("authentication.kubernetes.io/credential-id", List.of("JTI=token-1")),
            Map.entry("example.com/team", List.of("blue")));
  }

  @Test
  void aTokenThatIsNotGoodIsRefusedAndReviewsSayWhy() {
    assertThat(refusals(Map.of("exp", Instant.now().getEpochSecond() - 1)))
        .contains("oidc: token is expired (Token Expiry: ");
    assertThat(refusals(Map.of("aud", List.of("other", "another"))))
        .contains("oidc: expected audience \"the-client\" got [\"other\" \"another\"]");
    assertThat(refusals(Map.of("email_verified", false))).contains("oidc: email not verified");
    assertThat(refusals(Map.of("tenant", "other")))
        .contains("oidc: required claim tenant value does not match. Got = other, want = acme");
    assertThat(refusals(Map.of("level", 0L)))
        .contains("validation expression 'claims.level >= 1' failed: the level is too low");
    assertThat(refusals(Map.of("email", "ann-")))
        .contains(
            "validation expression '!user.username.endsWith('-')' failed: no dash at the end");
    assertThat(refusal(ofServer.forged(claims(Map.of()))))
        .contains("failed to verify id token signature");
  }

  private static String refusals(Map<String, Object> others) {
    return refusal(ofServer.token(claims(others)));
  }

  /** The error of a token review; the token itself gets 401. */
  private static String refusal(String token) {
    assertThat(kcp.admin().with(token).get(ROOT + "/api/v1/namespaces").status()).isEqualTo(401);
    KubeObject status = kcp.review(ROOT, token);
    assertThat(status.at("authenticated")).isNull();
    assertThat(status.text("error")).startsWith("[invalid bearer token, oidc: ");
    return status.text("error");
  }

  @Test
  void aNewKeyOfTheIssuerCountsAtOnce() throws Exception {
    try (var issuer = new MockIssuer(directory.resolve("rotating"));
        KcpSandbox other = start("rotating", issuerOptions(issuer))) {
      SandboxClient client = SandboxClient.of(other, "kcp-admin");
      assertThat(client.with(issuer.token(Map.of())).get(ROOT + "/api/v1/namespaces").status())
          .isEqualTo(403);

      issuer.rotate();

      // At most one fetch a second.
      await()
          .untilAsserted(() ->
              assertThat(
                      client
                          .with(issuer.token(Map.of()))
                          .get(ROOT + "/api/v1/namespaces")
                          .message())
                  .contains("User \"" + issuer.url() + "#subject\" cannot list resource"));
    }
  }

  private static OidcOptions.Issuer issuerOptions(MockIssuer issuer) throws Exception {
    OidcOptions.Issuer defaults = OidcOptions.Issuer.of(issuer.url(), MockIssuer.AUDIENCE);
    return new OidcOptions.Issuer(
        defaults.url(),
        defaults.clientId(),
        Optional.of(Files.writeString(directory.resolve("issuer-ca.crt"), issuer.authority())),
        defaults.usernameClaim(),
        defaults.usernamePrefix(),
        "roles",
        "r:",
        Set.of("RS256"),
        Map.of());
  }

  private static KcpSandbox start(String name, OidcOptions oidc) {
    return KcpSandbox.start(
        ServerOptions.in(directory.resolve("kcp-" + name))
            .withAccess(AccessOptions.DEFAULT.withOidc(oidc)));
  }

  @Test
  void aConfigurationThatIsWrongNamesAllThatIs() throws Exception {
    var wrong = new LinkedHashMap<>(entry());
    wrong.put("issuer", Map.of("url", "http://plain.example"));
    wrong.put("claimValidationRule", List.of());
    Path file = configuration("wrong.json", wrong);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> start("wrong", new OidcOptions.ConfigFile(file)))
        .withMessage(
            "the authentication configuration "
                + file
                + " is wrong: [jwt[0].claimValidationRule: Forbidden: unknown field, jwt[0].issuer.url: Invalid value: \"http://plain.example\": URL"
                + " scheme must be https, jwt[0].issuer.audiences: Required value: at least one"
                + " jwt[0].issuer.audiences is required]");
  }

  @Test
  void anonymousUsersMayBeConfinedToPaths() throws Exception {
    Path file =
        configuration(
            "paths.json",
            "anonymous",
            Map.of("enabled", true, "conditions", List.of(Map.of("path", "/livez"))));
    try (KcpSandbox other = start("anonymous", new OidcOptions.ConfigFile(file))) {
      SandboxClient client = SandboxClient.of(other, "kcp-admin");

      assertThat(client.anonymous().get("/livez").status()).isEqualTo(200);
      assertThat(client.anonymous().get(ROOT + "/livez").status()).isEqualTo(200);
      assertThat(client.anonymous().get(ROOT + "/readyz").status()).isEqualTo(401);
      assertThat(client.anonymous().get(ROOT + "/version").status()).isEqualTo(401);
      assertThat(client.get(ROOT + "/version").status()).isEqualTo(200);
    }
  }

  @Test
  void anonymousUsersThatAreKeptOutNeedNoPaths() throws Exception {
    Path file =
        configuration("out.json", "anonymous", Map.of("conditions", List.of(Map.of("path", "/"))));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> start("out", new OidcOptions.ConfigFile(file)))
        .withMessageEndingWith("enabled should be set to true when conditions are defined");
  }

  @Test
  void aUserOfTheTypesIssuerCountsInTheWorkspaceAlone() {
    kcp.type("guests", kcp.configure("guests", ofWorkspaces.entry("guest:")));
    String workspace = kcp.workspace("guests", "guest:bea");
    String other = kcp.workspace("universal", "guest:bea");
    String token = ofWorkspaces.token("bea", "crew");

    KubeObject user = kcp.who(workspace, token);

    String cluster = kcp.clusterOf(workspace);
    assertThat(user.text("username")).isEqualTo("guest:bea");
    assertThat(user.list("groups")).containsExactly("guest:crew", "system:authenticated");
    assertThat(user.map("extra"))
        .containsEntry("authentication.kcp.io/scopes", List.of("cluster:" + cluster))
        .containsEntry("authentication.kcp.io/cluster-name", List.of(cluster));
    assertThat(kcp.admin().with(token).get(other + "/api/v1/namespaces").status()).isEqualTo(401);
    assertThat(kcp.review(workspace, token).at("authenticated")).isEqualTo(true);
    assertThat(kcp.review(other, token).text("error")).isEqualTo("invalid bearer token");
  }

  @Test
  void aWorkspacesIssuerCannotMakeSystemUsers() {
    kcp.type("bare", kcp.configure("bare", ofWorkspaces.entry("")));
    String workspace = kcp.workspace("bare", "eve");

    KubeObject user = kcp.who(workspace, ofWorkspaces.token("eve", "system:masters", "crew"));
    SandboxClient system = kcp.admin().with(ofWorkspaces.token("system:apiserver"));

    assertThat(user.list("groups")).containsExactly("crew", "system:authenticated");
    assertThat(system.get(workspace + "/api/v1/namespaces").status()).isEqualTo(401);
  }

  @Test
  void aChangedConfigurationCountsAtOnce() {
    kcp.type("changing", kcp.configure("changing", ofWorkspaces.entry("old:")));
    String workspace = kcp.workspace("changing", "old:ann", "new:ann");
    assertThat(kcp.who(workspace, ofWorkspaces.token("ann")).text("username")).isEqualTo("old:ann");

    String path = ROOT + TENANCY + "workspaceauthenticationconfigurations/changing";
    KubeObject configuration = kcp.admin().get(path).body();
    kcp.admin().put(path, configuration.with(List.of(ofWorkspaces.entry("new:")), "spec", "jwt"));

    assertThat(kcp.who(workspace, ofWorkspaces.token("ann")).text("username")).isEqualTo("new:ann");
    assertThat(kcp.admin().delete(path).status()).isEqualTo(200);
    assertThat(
            kcp.admin()
                .with(ofWorkspaces.token("ann"))
                .get(workspace + "/api/v1/namespaces")
                .status())
        .isEqualTo(401);
  }

  @Test
  void withoutTheFeatureGateTypesAdmitNoUser() {
    try (KcpSandbox other = start("plain", new OidcOptions.None())) {
      var plain = new Tenants(SandboxClient.of(other, "kcp-admin"), "root");
      plain.type("guests", plain.configure("guests", ofWorkspaces.entry("guest:")));
      String workspace = plain.workspace("guests", "guest:bea");

      assertThat(
              plain
                  .admin()
                  .with(ofWorkspaces.token("bea"))
                  .get(workspace + "/api/v1/namespaces")
                  .status())
          .isEqualTo(401);
    }
  }

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
      var asked = new Tenants(client, "");

      var refused = client.with("good").get(ROOT + "/api/v1/namespaces");
      client.with("good").get(ROOT + "/api/v1/namespaces");

      assertThat(refused.message()).contains("User \"xavier\" cannot list resource");
      assertThat(reviews)
          .extracting(review -> review.at("spec"))
          .containsExactly(
              Map.of("token", "good", "audiences", List.of("https://kcp.default.svc")));
      assertThat(client.with("elsewhere").get(ROOT + "/api/v1/namespaces").status()).isEqualTo(401);
      assertThat(asked.review(ROOT, "bad").text("error"))
          .isEqualTo("[invalid bearer token, no such token]");
      assertThat(asked.review(ROOT, "good").at("user"))
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

  /**
   * Workspaces of a kcp, and types that admit users of issuers.
   *
   * @param shard for workspaces
   */
  private record Tenants(SandboxClient admin, String shard) {
    private static final AtomicInteger NAMES = new AtomicInteger();

    KubeObject review(String workspace, String token) {
      return KubeObject.of(
          admin
              .post(
                  workspace + "/apis/authentication.k8s.io/v1/tokenreviews",
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

    KubeObject who(String workspace, String token) {
      var answer =
          admin
              .with(token)
              .post(
                  workspace + WHO,
                  Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview"));
      assertThat(answer.status()).as(answer.message()).isEqualTo(201);
      return KubeObject.of(answer.body().map("status", "userInfo"));
    }

    String configure(String name, Map<String, Object> entry) {
      create("WorkspaceAuthenticationConfiguration", name, Map.of("jwt", List.of(entry)));
      return name;
    }

    void type(String name, String configuration) {
      create(
          "WorkspaceType",
          name,
          Map.of(
              "extend",
              Map.of("with", List.of(Map.of("name", "universal", "path", "root"))),
              "authenticationConfigurations",
              List.of(Map.of("name", configuration))));
    }

    /** The path of a new one. */
    String workspace(String type, String... administrators) {
      String name = "team-" + NAMES.getAndIncrement();
      var spec = new LinkedHashMap<String, Object>();
      spec.put("type", Map.of("name", type, "path", "root"));
      spec.put("location", Map.of("selector", Map.of("matchLabels", Map.of("name", shard))));
      create("Workspace", name, spec);
      String path = ROOT + ":" + name;
      await()
          .untilAsserted(() ->
              assertThat(
                      admin
                          .get(ROOT + TENANCY + "workspaces/" + name)
                          .body()
                          .text("status", "phase"))
                  .isEqualTo("Ready"));
      var subjects = new ArrayList<Object>();
      for (String user : administrators) {
        subjects.add(Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "User", "name", user));
      }
      create(
          path + "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
          Map.of(
              "metadata",
              Map.of("name", "administrators"),
              "roleRef",
              Map.of(
                  "apiGroup", "rbac.authorization.k8s.io",
                  "kind", "ClusterRole",
                  "name", "cluster-admin"),
              "subjects",
              subjects));
      return path;
    }

    String clusterOf(String path) {
      return admin
          .get(ROOT + TENANCY + "workspaces/" + path.substring(path.lastIndexOf(':') + 1))
          .body()
          .text("spec", "cluster");
    }

    private void create(String kind, String name, Map<String, Object> spec) {
      create(
          ROOT + TENANCY + kind.toLowerCase(Locale.ROOT) + "s",
          Map.of(
              "apiVersion",
              "tenancy.kcp.io/v1alpha1",
              "kind",
              kind,
              "metadata",
              Map.of("name", name),
              "spec",
              spec));
    }

    private void create(String path, Map<String, Object> object) {
      var answer = admin.post(path, object);
      assertThat(answer.status()).as(answer.message()).isEqualTo(201);
    }
  }
}
