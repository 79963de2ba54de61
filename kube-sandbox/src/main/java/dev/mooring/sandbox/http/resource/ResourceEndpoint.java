package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy.DeleteAnswer;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.request.RequestInfo;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.http.exchange.RequestBodies;
import dev.mooring.sandbox.security.authorization.AccessDenied;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.selector.FieldQuery;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.DeleteOptions;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.strategy.WriteResult;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.HttpHeader;

/** Answers requests for objects of one resource, after they were authorized. */
public final class ResourceEndpoint {
  private static final String STREAMS =
      ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

  private final ResourceStore store;
  private final WritePipeline pipeline;
  private final Clock clock;
  private final ListEndpoint lists;
  private final WatchEndpoint watches;
  private final SubresourceEndpoint subresources;

  public ResourceEndpoint(ResourceStore store, WritePipeline pipeline, Clock clock) {
    this.store = store;
    this.pipeline = pipeline;
    this.clock = clock;
    this.lists = new ListEndpoint(store, clock);
    this.watches = new WatchEndpoint(store, clock);
    this.subresources = new SubresourceEndpoint(this, pipeline);
  }

  /** One request, with everything that was found out about it. */
  public record Call(
      Exchange exchange,
      ApiView view,
      UserInfo user,
      RequestInfo info,
      ResourceDefinition definition) {
    String namespace() {
      return definition.namespaced() ? info.namespace() : "";
    }

    LogicalCluster cluster() {
      return view.cluster()
          .orElseThrow(() ->
              ApiFailure.of(
                  405,
                  "MethodNotAllowed",
                  ("%s is not supported on resources of kind \"%s\" in the `*` logical"
                          + " cluster")
                      .formatted(info.verb().text(), definition.type().qualified()),
                  ApiFailure.details(definition.type(), "")));
    }

    StorageKey key() {
      return new StorageKey(definition.resourceKey(), cluster(), namespace(), info.name());
    }

    /** As the view lets it be written. */
    KubeObject admitted(KubeObject wished) {
      return view.enforceClaims(definition, wished);
    }

    WriteContext context(String optionsKind) {
      return WriteContextFactory.of(this, optionsKind, exchange.all("dryRun"));
    }
  }

  public WatchEndpoint watches() {
    return watches;
  }

  /** Throws {@link ApiFailure}. */
  public void answer(Call call) throws IOException {
    ResourceDefinition definition = call.definition();
    RequestInfo info = call.info();
    requireFittingPath(call);
    call.exchange().warn(definition.strategy().deprecation().stream().toList());
    if (definition.origin() == ResourceDefinition.Origin.BUILT_IN && info.verb() != Verb.WATCH) {
      AcceptHeader.requireRouted(
          call.exchange().headers(HttpHeader.ACCEPT), info.verb() == Verb.LIST ? STREAMS : "");
    }
    if (!info.subresource().isEmpty()) {
      subresources.answer(call);
      return;
    }
    boolean item = !info.name().isEmpty();
    Verb verb = info.verb();
    if (definition.computed().isPresent()) {
      subresources.compute(call, definition);
      return;
    }
    if (!item
        && definition.origin() == ResourceDefinition.Origin.CUSTOM
        && (verb == Verb.UPDATE || verb == Verb.PATCH)) {
      throw ApiFailure.badRequest("name must be provided");
    }
    boolean fits =
        switch (verb) {
          case CREATE, LIST, DELETECOLLECTION -> !item;
          case GET, UPDATE, PATCH, DELETE -> item;
          case WATCH -> true;
        };
    requireAllowed(fits && definition.verbs().contains(verb));
    if (definition.origin() == ResourceDefinition.Origin.CUSTOM
        && !definition.resourceKey().isEveryIdentity()) {
      // No client can have read a version of it before it was there.
      store.open(definition.resourceKey());
    }
    switch (verb) {
      case GET -> get(call);
      case LIST -> lists.answer(call, scope(call));
      case WATCH -> watches.answer(call, scope(call));
      case CREATE -> create(call);
      case UPDATE, PATCH -> change(call, WriteTarget.of(definition));
      case DELETE -> delete(call);
      case DELETECOLLECTION -> deleteCollection(call);
    }
  }

  /** A Status inside a built-in group; text where only custom resources could be. */
  public static ApiFailure notServed(ApiView view, ResourceType type) {
    boolean builtIn =
        type.group().isEmpty()
            || view.all().stream()
                .anyMatch(definition ->
                    definition.origin() == ResourceDefinition.Origin.BUILT_IN
                        && definition.type().group().equals(type.group()));
    return builtIn ? ApiFailure.notServed() : ApiFailure.pageNotFound();
  }

  private static void requireFittingPath(Call call) {
    ResourceDefinition definition = call.definition();
    RequestInfo info = call.info();
    boolean namespacesItself =
        info.type().group().isEmpty() && info.type().resource().equals("namespaces");
    boolean inNamespace = !info.namespace().isEmpty() && !namespacesItself;
    boolean collection = info.name().isEmpty();
    if (definition.namespaced() && !inNamespace) {
      if (!collection || definition.computed().isPresent()) {
        throw notServed(call.view(), info.type());
      }
      requireAllowed(info.verb() == Verb.LIST || info.verb() == Verb.WATCH);
    }
    if (!definition.namespaced() && inNamespace) {
      throw notServed(call.view(), info.type());
    }
    if (!info.subresource().isEmpty()
        && !definition.subresources().containsKey(info.subresource())) {
      throw SubresourceEndpoint.missing(call);
    }
    if (!collection && definition.computed().isPresent()) {
      throw notServed(call.view(), info.type());
    }
    String method = call.exchange().method();
    boolean custom = definition.origin() == ResourceDefinition.Origin.CUSTOM;
    boolean known =
        switch (method) {
          case "GET" -> true;
          case "POST", "PUT", "PATCH", "DELETE" -> custom || info.verb() != Verb.WATCH;
          case "HEAD" -> custom;
          default -> false;
        };
    if (!known && custom) {
      throw ApiFailure.of(
          405,
          "MethodNotAllowed",
          " is not supported on resources of kind \"" + info.type().qualified() + "\"",
          ApiFailure.details(info.type(), ""));
    }
    requireAllowed(known);
  }

  static void requireAllowed(boolean allowed) {
    if (!allowed) {
      throw ApiFailure.methodNotAllowed();
    }
  }

  private ListScope scope(Call call) {
    var cluster = call.view().cluster();
    if (cluster.isEmpty() && (!call.namespace().isEmpty() || selectsOnePlace(call))) {
      // As kcp has it: no namespace lies in all clusters at once, so nothing is in it.
      return ListScope.of(call.definition().resourceKey(), LogicalCluster.NONE, call.namespace());
    }
    return new ListScope(call.definition().resourceKey(), cluster, call.namespace());
  }

  /** Whether a selector names what kcp then looks for by its key in place of a whole list. */
  private static boolean selectsOnePlace(Call call) {
    boolean watch = call.info().verb() == Verb.WATCH;
    FieldQuery fields = ListQuery.of(call.exchange(), call.definition(), watch).fields();
    return call.definition().namespaced()
        ? fields.exactNamespace().isPresent()
        : fields.exactName().isPresent();
  }

  /** Throws {@link ApiFailure} 404, also for an object that the view does not show. */
  StoredObject stored(Call call) {
    Optional<StoredObject> found =
        call.view()
            .objects(call.definition())
            .map(shown ->
                shown.stream()
                    .filter(one -> one.key().name().equals(call.info().name()))
                    .findFirst())
            .orElseGet(() -> store.get(call.key()));
    return found
        .filter(object -> call.view().isVisible(call.definition(), object))
        .orElseThrow(() -> ApiFailure.notFound(call.definition().type(), call.info().name()));
  }

  void get(Call call) throws IOException {
    requireVersion(call);
    ObjectRenderer rendering = ObjectRenderer.of(call, clock);
    call.exchange().answerObject(200, rendering.format(), rendering.stored(stored(call)));
  }

  /** A read of one object may ask for a version that it is not older than. */
  private void requireVersion(Call call) {
    String version = call.exchange().query("resourceVersion");
    try {
      if (!version.isEmpty()) {
        ListEndpoint.requireNotAhead(Long.parseUnsignedLong(version), store.version());
      }
    } catch (NumberFormatException e) {
      throw ApiFailure.of(500, "", ListQuery.unparsable(version), null);
    }
  }

  private void create(Call call) throws IOException {
    ResourceDefinition definition = call.definition();
    WriteContext context = call.context("CreateOptions");
    KubeObject body = RequestBodies.object(call.exchange(), definition, context);
    WriteResult outcome = pipeline.create(definition, context, call.admitted(body));
    answer(call, outcome);
  }

  void change(Call call, WriteTarget target) throws IOException {
    ResourceDefinition definition = call.definition();
    if (call.info().verb() == Verb.UPDATE) {
      WriteContext context = call.context("UpdateOptions");
      KubeObject body = RequestBodies.object(call.exchange(), definition, context);
      requireShown(call);
      answer(
          call,
          pipeline.change(
              target, context, call.info().name(), new Change.Replace(call.admitted(body))));
      return;
    }
    WriteContext context = call.context("PatchOptions");
    Change change;
    if (PatchParser.applies(call.exchange())) {
      Change.Apply apply = PatchParser.apply(call, context);
      requireNotHidden(call);
      requireCreatable(call);
      change = new Change.Apply(call.admitted(apply.wanted()), apply.force(), apply.ownership());
    } else {
      UnaryOperator<KubeObject> patch = PatchParser.of(call, context);
      requireShown(call);
      change = new Change.Patch(current -> call.admitted(patch.apply(current)));
    }
    WriteResult outcome = pipeline.change(target, context, call.info().name(), change);
    boolean isReported = outcome.kind() == WriteResult.Kind.CREATED && !call.view().forwards();
    respond(call, call.definition(), isReported ? 201 : 200, outcome.object());
  }

  /** What a view hides cannot be changed through it; what is missing is the pipeline's business. */
  private void requireShown(Call call) {
    if (store.get(call.key()).isPresent()) {
      stored(call);
    }
  }

  /** An apply makes what it does not see, and then finds it there. */
  private void requireNotHidden(Call call) {
    boolean hidden =
        store
            .get(call.key())
            .filter(object -> !call.view().isVisible(call.definition(), object))
            .isPresent();
    if (hidden) {
      throw ApiFailure.alreadyExists(call.definition().type(), call.info().name());
    }
  }

  /** An apply that makes the object needs the right to create it, too. */
  private void requireCreatable(Call call) {
    if (store.get(call.key()).isPresent()) {
      return;
    }
    RequestInfo info = call.info();
    var attributes =
        new AuthorizationAttributes(
            call.user(), call.view().cluster(), Verb.CREATE.text(), info.target(info.name()));
    Decision decision = call.view().authorize(attributes);
    if (!decision.allowed()) {
      throw AccessDenied.failure(attributes, decision);
    }
  }

  private void delete(Call call) throws IOException {
    KubeObject body = RequestBodies.deleteOptions(call.exchange());
    DeleteOptions options = DeleteOptions.of(body);
    WriteContext context = deletionContext(call, body);
    store
        .get(call.key())
        .ifPresent(object -> call.view().requireRemovable(call.definition(), object));
    WriteResult outcome = pipeline.delete(call.definition(), context, call.info().name(), options);
    boolean asStatus =
        outcome.kind() == WriteResult.Kind.GONE
            && call.definition().strategy().deleteAnswer() == DeleteAnswer.STATUS;
    if (!asStatus) {
      answer(call, outcome);
      return;
    }
    AcceptHeader.Format format = ObjectRenderer.of(call, clock).format();
    var details = ApiFailure.details(call.definition().type(), call.info().name());
    details.put("uid", outcome.object().uid());
    var status = ObjectRenderer.head("v1", "Status", Map.of());
    status.put("status", "Success");
    status.put("details", details);
    call.exchange().answerObject(200, format, ObjectRenderer.bytes(status, format));
  }

  private static WriteContext deletionContext(Call call, KubeObject body) {
    List<String> dryRun = body.list("dryRun").stream().map(String::valueOf).toList();
    return WriteContextFactory.of(call, "DeleteOptions", dryRun);
  }

  private void deleteCollection(Call call) throws IOException {
    ResourceDefinition definition = call.definition();
    KubeObject body = RequestBodies.deleteOptions(call.exchange());
    DeleteOptions options = DeleteOptions.of(body);
    ListQuery query = ListQuery.of(call.exchange(), definition, false);
    WriteContext context = deletionContext(call, body);
    ObjectRenderer rendering = ObjectRenderer.of(call, clock);
    var deleted = new ArrayList<KubeObject>();
    ListEndpoint.Page page = lists.page(call, scope(call), query);
    for (StoredObject object : page.items()) {
      pipeline
          .deleteOneOfMany(definition, context, object, options)
          // As it was listed, even if finalizers keep it.
          .map(_ -> definition.converter().toServed(object.object()))
          .ifPresent(deleted::add);
    }
    call.exchange()
        .answerObject(
            200,
            rendering.format(),
            rendering.servedList(deleted, page.metadata(query, rendering)));
  }

  private void answer(Call call, WriteResult outcome) throws IOException {
    int status = outcome.kind() == WriteResult.Kind.CREATED ? 201 : 200;
    respond(call, call.definition(), status, outcome.object());
  }

  /**
   * @param answered what the object is, which may be another than the call is about
   */
  void respond(Call call, ResourceDefinition answered, int status, KubeObject object)
      throws IOException {
    ObjectRenderer rendering = ObjectRenderer.of(call, clock).ofKind(answered);
    call.exchange().answerObject(status, rendering.format(), rendering.object(object));
  }
}
