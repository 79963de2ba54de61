package dev.mooring.runtime.client.http;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.client.WatchSink;
import dev.mooring.runtime.client.http.RequestTarget.Query;
import dev.mooring.runtime.trace.WorkSpan;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A cluster below one URL, spoken to over a connection that others may share. */
final class HttpKubeClient implements KubeClient {
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";

  /** Longer than its life only a watch whose connection is lost is silent. */
  private static final Duration WATCH_END_LATE = Duration.ofSeconds(15);

  private final URI url;
  private final HttpTransport transport;

  HttpKubeClient(URI url, HttpTransport transport) {
    this.url = url;
    this.transport = transport;
  }

  @Override
  public URI url() {
    return url;
  }

  @Override
  public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
    try {
      return Optional.of(get(RequestTarget.object(type, namespace, name), new Query()));
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public Optional<ListEnd> scan(
      ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
    RequestTarget target = RequestTarget.collection(type, query.namespace());
    URI full = target.below(url, parameters(query));
    String request = named("GET", full);
    try (WorkSpan _ = RequestSpans.open("GET", target, full);
        BodyStream body = BodyStream.open(transport, full)) {
      if (!body.successful()) {
        throw Failures.answered(request, target, body.answer());
      }
      return KubeJson.readList(body, keep, each).map(ListEnd::of);
    } catch (IOException e) {
      throw Failures.unanswered(request, e);
    } catch (MalformedJson e) {
      throw Failures.unreadable(request, 200, e);
    }
  }

  @Override
  public KubeList list(ResourceType type, ListQuery query) {
    RequestTarget target = RequestTarget.collection(type, query.namespace());
    KubeObject list = get(target, parameters(query));
    ListEnd end = ListEnd.of(list);
    try {
      List<KubeObject> items = KubeJson.items(list).stream().map(end::identified).toList();
      return new KubeList(items, end.resourceVersion(), end.continueToken());
    } catch (MalformedJson e) {
      throw Failures.unreadable(named("GET", target.below(url, parameters(query))), 200, e);
    }
  }

  @Override
  public KubeObject document(String path) {
    return get(RequestTarget.document(path), new Query());
  }

  @Override
  public KubeObject create(ResourceType type, KubeObject object) {
    return write("POST", RequestTarget.collection(type, object.namespace()), JSON, object.tree());
  }

  @Override
  public KubeObject update(ResourceType type, KubeObject object) {
    return write("PUT", conditional(type, object), JSON, object.tree());
  }

  @Override
  public KubeObject updateStatus(ResourceType type, KubeObject object) {
    return write("PUT", conditional(type, object).status(), JSON, object.tree());
  }

  @Override
  public KubeObject patch(
      ResourceType type, String namespace, String name, Map<String, Object> mergePatch) {
    return write("PATCH", RequestTarget.object(type, namespace, name), MERGE_PATCH, mergePatch);
  }

  @Override
  public KubeObject patchStatus(
      ResourceType type, String namespace, String name, Map<String, Object> mergePatch) {
    RequestTarget status = RequestTarget.object(type, namespace, name).status();
    return write("PATCH", status, MERGE_PATCH, mergePatch);
  }

  @Override
  public void delete(ResourceType type, String namespace, String name, DeleteCondition condition) {
    var options = Trees.ordered("apiVersion", "v1", "kind", "DeleteOptions");
    switch (condition) {
      case DeleteCondition.Unconditional() -> {}
      case DeleteCondition.SameObject(String uid) ->
          options.put("preconditions", Map.of("uid", uid));
      case DeleteCondition.Unchanged(var uid, var resourceVersion, var propagation) -> {
        options.put("preconditions", Map.of("uid", uid, "resourceVersion", resourceVersion));
        Trees.putUnlessEmpty(options, "propagationPolicy", propagation);
      }
      case DeleteCondition.DryRun() -> options.put("dryRun", List.of("All"));
    }
    write("DELETE", RequestTarget.object(type, namespace, name), JSON, options);
  }

  @Override
  public WatchHandle watch(ResourceType type, WatchQuery query, WatchSink sink) {
    RequestTarget target = RequestTarget.collection(type, query.objects().namespace());
    var parameters =
        new Query()
            .add("watch", "true")
            .add("allowWatchBookmarks", "true")
            .add("labelSelector", query.objects().labelSelector())
            .add("fieldSelector", query.objects().fieldSelector())
            .add("resourceVersion", query.resourceVersion())
            .add("timeoutSeconds", Long.toString(query.lifeSeconds()));
    Duration idleMax = query.life().plus(WATCH_END_LATE);
    return HttpWatch.open(transport, target.below(url, parameters), target, idleMax, sink);
  }

  /** A request as failures name it; without parameters, which are long and tell little. */
  static String named(String method, URI url) {
    return method + " " + withoutParameters(url);
  }

  static String withoutParameters(URI url) {
    String text = url.toString();
    int parameters = text.indexOf('?');
    return parameters < 0 ? text : text.substring(0, parameters);
  }

  private static RequestTarget conditional(ResourceType type, KubeObject object) {
    if (object.resourceVersion().isEmpty()) {
      throw new IllegalArgumentException(
          "an update needs the resource version that was read: " + object);
    }
    return RequestTarget.object(type, object.namespace(), object.name());
  }

  private static Query parameters(ListQuery query) {
    return new Query()
        .add("labelSelector", query.labelSelector())
        .add("fieldSelector", query.fieldSelector())
        .add("limit", query.limit() == 0 ? "" : Integer.toString(query.limit()))
        .add("continue", query.continueToken());
  }

  private KubeObject get(RequestTarget target, Query query) {
    return exchange("GET", target, query, null, null);
  }

  private KubeObject write(String method, RequestTarget target, String contentType, Object body) {
    return exchange(method, target, new Query(), contentType, KubeJson.write(body));
  }

  private KubeObject exchange(
      String method,
      RequestTarget target,
      Query query,
      @Nullable String contentType,
      byte @Nullable [] body) {
    URI full = target.below(url, query);
    String request = named(method, full);
    HttpTransport.Answer answer;
    try (WorkSpan _ = RequestSpans.open(method, target, full)) {
      answer = transport.send(method, full, contentType, body);
    } catch (IOException e) {
      throw Failures.unanswered(request, e).askedAt(url);
    }
    if (!answer.head().isSuccessful()) {
      throw Failures.answered(request, target, answer).askedAt(url);
    }
    try {
      return KubeJson.readObject(answer.body());
    } catch (MalformedJson e) {
      throw Failures.unreadable(request, answer.head().code(), e).askedAt(url);
    }
  }
}
