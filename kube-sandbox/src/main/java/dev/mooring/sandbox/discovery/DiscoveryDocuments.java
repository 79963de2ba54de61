package dev.mooring.sandbox.discovery;

import dev.mooring.model.json.KubeJson;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.OpenApiProtobuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Serves discovery, version and OpenAPI below every view. Thread-safe. */
public final class DiscoveryDocuments {
  private static final String OPENAPI_V3 = "openapi/v3/";

  /** What every virtual workspace lists. */
  private static final Map<String, Object> PATHS_OF_VIEWS =
      Map.of(
          "paths",
          List.of(
              "/api",
              "/api/v1",
              "/api/v1/",
              "/apis",
              "/apis/",
              "/metrics",
              "/metrics/slis",
              "/openapi",
              "/openapi/",
              "/version"));

  /** Where it serves nothing. */
  private static final DocumentResponse PAGE_OF_VIEWS =
      new DocumentResponse(404, "application/json", Map.of(), KubeJson.write(PATHS_OF_VIEWS));

  private static final DocumentResponse METRICS_OF_WORKSPACE =
      new DocumentResponse(
          501,
          "text/plain; charset=utf-8",
          Map.of(),
          "shard-level endpoint not available at workspace scope\n"
              .getBytes(StandardCharsets.UTF_8));

  /**
   * A request for something that is no object: discovery, version, OpenAPI.
   *
   * @param method such as {@code GET}
   * @param view empty for a bare path without a logical cluster
   * @param segments of the path behind the view's prefix, decoded, such as {@code [apis, a.io, v1]}
   * @param accept the Accept header as it came; may be empty
   * @param ifNoneMatch the header as it came; may be empty
   */
  public record DocumentRequest(
      String method,
      Optional<ApiView> view,
      List<String> segments,
      String accept,
      String ifNoneMatch) {
    public DocumentRequest {
      segments = List.copyOf(segments);
    }
  }

  /**
   * An answer that is no object.
   *
   * @param headers in addition to Content-Type
   */
  public record DocumentResponse(
      int status, String contentType, Map<String, String> headers, byte[] body) {
    public DocumentResponse {
      headers = Map.copyOf(headers);
    }

    /** 200 with a tree as JSON. */
    public static DocumentResponse json(Object tree) {
      return new DocumentResponse(200, "application/json", Map.of(), KubeJson.write(tree));
    }
  }

  private final String address;
  private final OpenApiCache cache = new OpenApiCache();

  /**
   * @param address host and port under which clients reach the server
   */
  public DiscoveryDocuments(String address) {
    this.address = address;
  }

  /** Empty for a path that it does not serve. Throws {@link ApiFailure}. */
  public Optional<DocumentResponse> answer(DocumentRequest request) {
    List<String> segments = request.segments();
    boolean isVirtual = order(request) == ApiView.VerbOrder.BY_NAME;
    if (segments.isEmpty()) {
      return Optional.of(
          DocumentResponse.json(
              isVirtual ? PATHS_OF_VIEWS : Map.of("paths", rootPaths(groups(request)))));
    }
    return switch (segments.getFirst()) {
      case "index.html" ->
          single(segments, DocumentResponse.json(Map.of("paths", rootPaths(groups(request)))));
      case "version" -> {
        if (segments.size() > 1) {
          throw ApiFailure.notServed();
        }
        requireGet(request);
        yield single(segments, DocumentResponse.json(GroupDocuments.version()));
      }
      case "metrics" ->
          request.view().isPresent() ? single(segments, METRICS_OF_WORKSPACE) : Optional.empty();
      case "api" -> core(request);
      case "apis" -> named(request);
      case "openapi" -> openApi(request);
      default -> isVirtual ? Optional.of(PAGE_OF_VIEWS) : Optional.empty();
    };
  }

  /** The documents of Kubernetes' own handlers take no other method; kcp's take all. */
  private static void requireGet(DocumentRequest request) {
    if (!request.method().equals("GET") && order(request) == ApiView.VerbOrder.BY_ORIGIN) {
      throw ApiFailure.methodNotAllowed();
    }
  }

  private static Optional<DocumentResponse> single(
      List<String> segments, DocumentResponse response) {
    return segments.size() == 1 ? Optional.of(response) : Optional.empty();
  }

  private Optional<DocumentResponse> core(DocumentRequest request) {
    List<String> segments = request.segments();
    return switch (segments.size()) {
      case 1 -> {
        requireGet(request);
        yield Optional.of(coreVersions(request));
      }
      case 2 -> Optional.of(resources(request, "", segments.get(1)));
      default -> Optional.empty();
    };
  }

  private DocumentResponse coreVersions(DocumentRequest request) {
    // Virtual workspaces serve the old form alone.
    if (order(request) == ApiView.VerbOrder.BY_NAME
        || !AggregatedDiscovery.wanted(request.accept())) {
      return DocumentResponse.json(GroupDocuments.coreVersions(address));
    }
    byte[] body = KubeJson.write(AggregatedDiscovery.core(groups(request)));
    return tagged(request, OpenApiCache.Document.of(body), AggregatedDiscovery.MEDIA_TYPE);
  }

  private Optional<DocumentResponse> named(DocumentRequest request) {
    List<String> segments = request.segments();
    return switch (segments.size()) {
      case 1 ->
          Optional.of(DocumentResponse.json(GroupDocuments.groupList(groups(request), address)));
      case 2 -> {
        ServedGroups groups = groups(request);
        if (groups.builtIn(segments.get(1))) {
          requireGet(request);
        }
        if (!groups.names().contains(segments.get(1))) {
          throw ApiFailure.pageNotFound();
        }
        yield Optional.of(
            DocumentResponse.json(GroupDocuments.group(groups, segments.get(1), "v1")));
      }
      case 3 -> Optional.of(resources(request, segments.get(1), segments.get(2)));
      default -> Optional.empty();
    };
  }

  private DocumentResponse resources(DocumentRequest request, String group, String version) {
    ServedGroups groups = groups(request);
    List<ResourceDefinition> resources = groups.resources(group, version);
    boolean isVirtual = order(request) == ApiView.VerbOrder.BY_NAME;
    boolean isCore = group.isEmpty();
    if (resources.isEmpty()) {
      if (isCore ? !isVirtual && !version.equals("v1") : groups.builtIn(group)) {
        throw ApiFailure.notServed();
      }
      if (isCore || isVirtual) {
        throw ApiFailure.pageNotFound();
      }
    }
    if (isCore || groups.builtIn(group)) {
      requireGet(request);
    }
    return DocumentResponse.json(ResourceLists.list(group, version, resources, order(request)));
  }

  private static ApiView.VerbOrder order(DocumentRequest request) {
    return request.view().map(ApiView::verbOrder).orElse(ApiView.VerbOrder.BY_ORIGIN);
  }

  private Optional<DocumentResponse> openApi(DocumentRequest request) {
    List<String> segments = request.segments();
    String path = String.join("/", segments);
    if (path.equals("openapi/v2") && order(request) == ApiView.VerbOrder.BY_ORIGIN) {
      return Optional.of(openApiV2(request));
    }
    if (path.equals("openapi/v3")) {
      byte[] index = KubeJson.write(OpenApiV3.index(groups(request), order(request), cache));
      return Optional.of(tagged(request, OpenApiCache.Document.of(index)));
    }
    if (path.startsWith(OPENAPI_V3)
        && OpenApiV3.discoveryPaths(groups(request), order(request))
            .contains(path.substring(OPENAPI_V3.length()))) {
      return Optional.of(
          tagged(request, OpenApiV3.discoveryDocument(path.substring(OPENAPI_V3.length()))));
    }
    List<ResourceDefinition> definitions =
        path.startsWith("openapi/v3/api/") && segments.size() == 4
            ? groups(request).resources("", segments.get(3))
            : path.startsWith("openapi/v3/apis/") && segments.size() == 5
                ? groups(request).resources(segments.get(3), segments.get(4))
                : List.of();
    if (!definitions.isEmpty()) {
      return Optional.of(tagged(request, OpenApiV3.document(definitions, cache)));
    }
    // For version 3 of OpenAPI kcp says nothing of groups that it does not know, not even 404.
    return segments.size() > 2 && segments.get(1).equals("v3")
        ? Optional.of(new DocumentResponse(200, "", Map.of(), new byte[0]))
        : Optional.empty();
  }

  private DocumentResponse openApiV2(DocumentRequest request) {
    List<ResourceDefinition> all = all(request);
    return OpenApiV2.wantsProtobuf(request.accept())
        ? tagged(
            request,
            cache.of("v2+protobuf", all, () -> OpenApiProtobuf.write(OpenApiV2.document(all))),
            OpenApiV2.PROTOBUF_TYPE)
        : tagged(request, cache.of("v2", all, () -> KubeJson.write(OpenApiV2.document(all))));
  }

  private static DocumentResponse tagged(DocumentRequest request, OpenApiCache.Document document) {
    return tagged(request, document, "application/json");
  }

  private static DocumentResponse tagged(
      DocumentRequest request, OpenApiCache.Document document, String contentType) {
    String tag = "\"" + document.hash() + "\"";
    Map<String, String> headers = Map.of("Etag", tag, "Vary", "Accept");
    return request.ifNoneMatch().equals(tag)
        ? new DocumentResponse(304, "", headers, new byte[0])
        : new DocumentResponse(200, contentType, headers, document.body());
  }

  private static List<String> rootPaths(ServedGroups groups) {
    var paths = new ArrayList<>(List.of("/api", "/api/v1", "/apis"));
    groups.names().stream()
        .sorted()
        .forEach(group -> {
          paths.add("/apis/" + group);
          groups.versions(group).forEach(version -> paths.add("/apis/" + group + "/" + version));
        });
    paths.addAll(
        List.of(
            "/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3", "/readyz", "/version"));
    return paths;
  }

  private static ServedGroups groups(DocumentRequest request) {
    return new ServedGroups(all(request));
  }

  private static List<ResourceDefinition> all(DocumentRequest request) {
    return request.view().map(ApiView::all).orElse(List.of());
  }
}
