package dev.mooring.sandbox.http;

import dev.mooring.languages.GoDuration;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.request.ApiView.VerbOrder;
import dev.mooring.sandbox.api.request.RequestInfo;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.GoJson;
import dev.mooring.sandbox.discovery.DiscoveryDocuments.DocumentRequest;
import dev.mooring.sandbox.discovery.DiscoveryDocuments.DocumentResponse;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.http.resource.ObjectRenderer;
import dev.mooring.sandbox.http.resource.ResourceEndpoint;
import dev.mooring.sandbox.security.authentication.Credentials;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.authorization.AccessDenied;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.URIUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a request's URL to what answers it: health checks for all; otherwise the URL's prefix gives
 * the view, the credentials the user, and the rest of the path an object or a document.
 */
final class Router implements ApiServer.RequestRouter {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);
  private static final LogicalCluster ROOT = new LogicalCluster("root");
  private static final ResourceType CLUSTER_OBJECTS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");
  private static final Pattern ONE_NAME =
      Pattern.compile("(?:^|,)metadata\\.name==?([^,=!/%]+)(?=,|$)");

  /** What kcp never writes for people, by its first segment. */
  private static final Set<String> UNINDENTED = Set.of("openapi");

  /** What kcp writes for people always, by its first segment. */
  private static final Set<String> INDENTED = Set.of("", "version", "index.html");

  private static final Set<String> DISCOVERY = Set.of("api", "apis");

  private static final String DEEP_REVIEW = "X-Kcp-Internal-Deep-SubjectAccessReview";

  private final ServerConfig parts;
  private final ResourceEndpoint resources;
  private final HealthChecks health;
  private final FaultFilter faults;
  private final RequestMetrics metrics = new RequestMetrics();

  Router(ServerConfig parts, ResourceEndpoint resources, HealthChecks health) {
    this.parts = parts;
    this.resources = resources;
    this.health = health;
    this.faults = new FaultFilter(parts.faults());
  }

  /**
   * What a URL's prefix says.
   *
   * @param view empty for a bare path of a server with logical clusters
   * @param rest the segments behind the prefix
   */
  private record Located(Optional<ApiView> view, List<String> rest) {}

  @Override
  public void answer(Exchange exchange) throws IOException {
    metrics.count(exchange.method());
    requireTimeout(exchange);
    List<String> segments = exchange.segments();
    List<String> behindCluster =
        startsWith(segments, "clusters") && segments.size() > 2
            ? segments.subList(2, segments.size())
            : segments;
    if (segments.equals(List.of("services")) && !exchange.endsWithSlash()) {
      redirect(exchange, "/services/");
      return;
    }
    if (HealthChecks.areOpen(behindCluster) && !exchange.endsWithSlash()) {
      // Open to all users, but not to wrong credentials.
      parts.authenticator().authenticate(exchange.credentials());
      health.answer(exchange, behindCluster);
      return;
    }
    Optional<LogicalCluster> place = place(behindCluster, segments);
    Credentials credentials = exchange.credentials();
    UserInfo authenticated = exchange.admit(parts.authenticator().authenticate(credentials));
    Located located = located(exchange, segments, behindCluster, place, authenticated);
    requireActive(located);
    boolean watching = exchange.flag("watch");
    Optional<RequestInfo> info = RequestInfo.parse(exchange.method(), located.rest(), watching);
    boolean isVirtual = startsWith(behindCluster, "services");
    HeaderImpersonation impersonation =
        isVirtual ? parts.impersonation().inViews() : parts.impersonation();
    UserInfo user = impersonation.apply(authenticated, credentials, located.view());
    if (!exchange.hasCleanPath()) {
      redirect(exchange, cleaned(located.rest(), exchange.endsWithSlash()));
    } else if (info.isPresent()) {
      faults.requireStarted(user, info.get().type().group(), isVirtual);
      answerObjects(exchange, located, user, info.get());
    } else {
      if (startsWith(located.rest(), "apis") && located.rest().size() > 1) {
        faults.requireStarted(user, located.rest().get(1), isVirtual);
      }
      answerDocument(exchange, located, user);
    }
  }

  /**
   * The logical cluster that the URL names; empty without one. A path that leads nowhere is
   * answered before credentials are looked at.
   */
  private Optional<LogicalCluster> place(List<String> behindCluster, List<String> segments) {
    if (!startsWith(segments, "clusters") || segments.size() < 2) {
      return Optional.empty();
    }
    String named = segments.get(1);
    if (parts.tenancy().filter(found -> found.clusters().isUnavailable(named)).isPresent()) {
      throw ApiFailure.plain(503, "Not available.\n");
    }
    if (named.equals("*")) {
      return Optional.empty();
    }
    Optional<LogicalCluster> place =
        parts.tenancy().map(tenancy -> tenancy.clusters().resolve(named));
    if (behindCluster.equals(List.of("metrics"))) {
      throw ApiFailure.plain(501, "shard-level endpoint not available at workspace scope\n");
    }
    return place;
  }

  private static String path(List<String> segments) {
    return "/" + String.join("/", segments);
  }

  /** No answer takes longer than a client waits; still a wrong limit is refused. */
  private static void requireTimeout(Exchange exchange) {
    String timeout = exchange.query("timeout");
    if (!timeout.isEmpty() && !exchange.flag("watch") && GoDuration.parse(timeout).isEmpty()) {
      throw ApiFailure.badRequest(
          "invalid timeout specified in the request URL: \"" + timeout + "\" is not a duration");
    }
  }

  /** The path as it should be; as in kcp, without the prefix that names the logical cluster. */
  private static String cleaned(List<String> rest, boolean endsWithSlash) {
    var kept = new ArrayDeque<String>();
    for (String segment : rest) {
      if (segment.equals("..")) {
        kept.pollLast();
      } else if (!segment.equals(".")) {
        kept.add(segment);
      }
    }
    return "/" + String.join("/", kept) + (endsWithSlash && !kept.isEmpty() ? "/" : "");
  }

  private static void redirect(Exchange exchange, String path) throws IOException {
    String location = URIUtil.encodePath(path) + exchange.rawQuery();
    exchange.answerNothing(307, Map.of(HttpHeader.LOCATION.asString(), location));
  }

  private Located located(
      Exchange exchange,
      List<String> segments,
      List<String> behindCluster,
      Optional<LogicalCluster> place,
      UserInfo user) {
    if (parts.tenancy().isEmpty()) {
      return new Located(Optional.of(parts.view(LogicalCluster.NONE)), segments);
    }
    Tenancy tenancy = parts.tenancy().get();
    if (startsWith(behindCluster, "services")) {
      String slash = exchange.endsWithSlash() ? "/" : "";
      var resolved = tenancy.virtualWorkspaces().resolve(path(behindCluster) + slash, user);
      List<String> rest =
          java.util.Arrays.stream(resolved.rest().split("/"))
              .filter(segment -> !segment.isEmpty())
              .toList();
      return new Located(Optional.of(resolved.view()), rest);
    }
    if (!startsWith(segments, "clusters") || segments.size() < 2) {
      // Clients inside a cluster know no logical clusters: their service account has one.
      return new Located(EffectiveUsers.home(user).map(parts::view), segments);
    }
    ApiView view = place.map(parts::view).orElseGet(() -> everywhere(exchange, tenancy));
    return new Located(Optional.of(view), segments.subList(2, segments.size()));
  }

  private static ApiView everywhere(Exchange exchange, Tenancy tenancy) {
    return AcceptHeader.wantsMetadata(exchange.header(HttpHeader.ACCEPT))
        ? tenancy.metadataEverywhere()
        : tenancy.everywhere();
  }

  private void requireActive(Located located) {
    boolean isAnswered =
        startsWith(located.rest(), "openapi")
            || (located.rest().size() > 3
                && located.rest().get(1).equals(CLUSTER_OBJECTS.group())
                && located.rest().get(3).equals(CLUSTER_OBJECTS.resource()));
    if (isAnswered || parts.tenancy().isEmpty()) {
      return;
    }
    located
        .view()
        .flatMap(ApiView::cluster)
        .filter(parts.tenancy().get().clusters()::isInactive)
        .ifPresent(cluster -> {
          throw ApiFailure.forbidden(
              CLUSTER_OBJECTS, cluster.name(), "logical cluster is marked inactive");
        });
  }

  private static boolean startsWith(List<String> segments, String first) {
    return !segments.isEmpty() && segments.getFirst().equals(first);
  }

  private void answerObjects(Exchange exchange, Located located, UserInfo user, RequestInfo info)
      throws IOException {
    if (parts.tenancy().isPresent() && isHome(located, info)) {
      answerHome(exchange, parts.tenancy().get().homes().apply(user));
      return;
    }
    ResourceType type = info.type();
    authorize(located, user, info.verb().text(), info.target(asked(exchange, info)));
    ApiView view =
        located.view().orElseThrow(() -> ApiFailure.internal("no cluster found in the context"));
    ResourceDefinition definition =
        reviewOfRights(exchange, user, view, type)
            .or(() -> view.find(type))
            .orElseThrow(() -> ResourceEndpoint.notServed(view, type));
    if (info.verb() == Verb.LIST) {
      metrics.countList(definition.type());
    }
    faults.apply(exchange, user, info);
    resources.answer(
        new ResourceEndpoint.Call(exchange, view, user, named(exchange, info), definition));
  }

  /** Empty unless the request asks, as kcp's own servers do, for a user's rights alone. */
  private Optional<ResourceDefinition> reviewOfRights(
      Exchange exchange, UserInfo user, ApiView view, ResourceType type) {
    boolean isAsked =
        user.groups().contains(UserInfo.MASTERS)
            && type.group().equals("authorization.k8s.io")
            && type.resource().equals("subjectaccessreviews")
            && exchange.header(DEEP_REVIEW).equals("true");
    Optional<Tenancy> tenancy = isAsked ? parts.tenancy() : Optional.empty();
    return tenancy
        .map(Tenancy::reviewsOfRights)
        .flatMap(reviews -> view.cluster().flatMap(cluster -> reviews.find(cluster, type)));
  }

  private static boolean isHome(Located located, RequestInfo info) {
    return info.verb() == Verb.GET
        && info.name().equals("~")
        && info.type().group().equals("tenancy.kcp.io")
        && info.type().resource().equals("workspaces")
        && located.view().flatMap(ApiView::cluster).filter(ROOT::equals).isPresent();
  }

  private static void answerHome(Exchange exchange, Optional<KubeObject> workspace)
      throws IOException {
    if (workspace.isEmpty()) {
      exchange.answerText(
          429, Map.of(HttpHeader.RETRY_AFTER.asString(), "1"), "Creating the home workspace\n");
      return;
    }
    AcceptHeader.Format format =
        AcceptHeader.of(exchange.header(HttpHeader.ACCEPT), AcceptHeader.Offer.TEXT_ONLY).format();
    exchange.answerObject(200, format, ObjectRenderer.bytes(workspace.get().tree(), format));
  }

  /**
   * Who lists or watches by exactly one name needs rights on that object only (Kubernetes'
   * apiserver/pkg/endpoints/request).
   */
  private static String asked(Exchange exchange, RequestInfo info) {
    boolean many = info.verb() == Verb.LIST || info.verb() == Verb.WATCH;
    if (!many || !info.name().isEmpty()) {
      return info.name();
    }
    Matcher one = ONE_NAME.matcher(exchange.query("fieldSelector"));
    return one.find() ? one.group(1) : "";
  }

  /** A watch of one object by its path is a watch of its name. */
  private static RequestInfo named(Exchange exchange, RequestInfo info) {
    if (info.verb() != Verb.WATCH || info.name().isEmpty()) {
      return info;
    }
    exchange.select("metadata.name=" + info.name());
    return new RequestInfo(info.verb(), info.type(), info.namespace(), "", info.subresource());
  }

  private void answerDocument(Exchange exchange, Located located, UserInfo user)
      throws IOException {
    String path = path(located.rest());
    if (path.equals("/faults")) {
      faults.answer(exchange, user);
      return;
    }
    authorize(
        located,
        user,
        exchange.method().toLowerCase(Locale.ROOT),
        new AuthorizationAttributes.Url(path));
    if (HealthChecks.covers(located.rest()) && !isVirtual(located)) {
      health.answer(exchange, located.rest());
      return;
    }
    if (located.view().isEmpty() && path.equals("/metrics")) {
      exchange.answer(
          200,
          RequestMetrics.MEDIA_TYPE,
          Map.of(),
          metrics.text(resources.watches().running()).getBytes(StandardCharsets.UTF_8));
      return;
    }
    var request =
        new DocumentRequest(
            exchange.method(),
            located.view(),
            located.rest(),
            exchange.headers(HttpHeader.ACCEPT),
            exchange.header(HttpHeader.IF_NONE_MATCH));
    DocumentResponse document =
        parts.documents().answer(request).orElseThrow(ApiFailure::pageNotFound);
    String first = located.rest().isEmpty() ? "" : located.rest().getFirst();
    if (first.equals("api") && !isVirtual(located)) {
      AcceptHeader.requireRouted(exchange.headers(HttpHeader.ACCEPT), "");
    }
    if (DISCOVERY.contains(first) && document.status() == 200) {
      answerDiscovery(exchange, document);
    } else if (INDENTED.contains(first) || UNINDENTED.contains(first)) {
      exchange.answer(
          document.status(),
          document.contentType(),
          document.headers(),
          INDENTED.contains(first) ? GoJson.indented(document.body()) : document.body());
    } else {
      exchange.answerObject(
          document.status(), document.contentType(), document.headers(), document.body());
    }
  }

  /** Throws {@link ApiFailure} 406. */
  private static void answerDiscovery(Exchange exchange, DocumentResponse document)
      throws IOException {
    String json = AcceptHeader.Format.JSON.mediaType();
    String form = document.contentType().substring(json.length());
    var format = AcceptHeader.ofForm(exchange.headers(HttpHeader.ACCEPT), form);
    exchange.answerObject(
        200,
        format.mediaType() + form,
        document.headers(),
        format == AcceptHeader.Format.JSON
            ? document.body()
            : ObjectRenderer.bytes(Trees.mapOrEmpty(KubeJson.read(document.body())), format));
  }

  private static boolean isVirtual(Located located) {
    return located.view().filter(view -> view.verbOrder() == VerbOrder.BY_NAME).isPresent();
  }

  private void authorize(
      Located located, UserInfo user, String verb, AuthorizationAttributes.Target target) {
    boolean ofServer =
        located.view().isEmpty()
            && target instanceof AuthorizationAttributes.Url url
            && url.path().equals("/metrics");
    // Whom the workspace root lets read them may read the metrics of the server.
    Optional<LogicalCluster> cluster =
        ofServer ? Optional.of(ROOT) : located.view().flatMap(ApiView::cluster);
    var attributes = new AuthorizationAttributes(user, cluster, verb, target);
    Decision decision =
        located.view().isPresent()
            ? located.view().get().authorize(attributes)
            : parts.authorizer().authorize(attributes);
    if (!decision.allowed()) {
      ApiFailure denied = AccessDenied.failure(attributes, decision);
      // Who tries out a service's rights reads here what is missing.
      LOG.info("Access denied{}: {}", where(attributes), denied.getMessage());
      throw denied;
    }
  }

  private static String where(AuthorizationAttributes attributes) {
    return attributes.cluster().map(cluster -> " in " + cluster.name()).orElse("");
  }
}
