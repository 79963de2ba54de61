package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.Reinvocation;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches writes to the webhooks of Validating- and MutatingWebhookConfigurations. For a bound
 * resource those of the provider's logical cluster count, and only those, as in kcp; namespace
 * labels are always the request's own cluster's.
 */
public final class WebhookAdmission
    implements AdmissionPlugin.Mutating, AdmissionPlugin.Validating, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookAdmission.class);

  private final AdmissionContext contexts;
  private final JsonPatcher patcher;
  private final Supplier<String> ids;
  private final FaultInjector faults;
  private final WebhookConfigurations validating;
  private final WebhookConfigurations mutating;
  private final WebhookCaller caller;
  private final ExecutorService parallel = Executors.newVirtualThreadPerTaskExecutor();

  /** Applies RFC 6902 operations to an object. */
  @FunctionalInterface
  public interface JsonPatcher {
    /** Throws {@link ApiFailure} if the patch does not fit. */
    KubeObject apply(KubeObject object, List<Object> operations);
  }

  /**
   * @param ids a new UUID each time
   */
  public WebhookAdmission(
      ShardStores stores,
      AdmissionContext contexts,
      JsonPatcher patcher,
      Supplier<String> ids,
      WebhookCaller caller,
      FaultInjector faults) {
    this.caller = caller;
    this.faults = faults;
    this.contexts = contexts;
    this.patcher = patcher;
    this.ids = ids;
    this.validating = new WebhookConfigurations(stores, ReviewCodec.Kind.VALIDATING);
    this.mutating = new WebhookConfigurations(stores, ReviewCodec.Kind.MUTATING);
  }

  @Override
  public String name() {
    return "Webhooks";
  }

  /** One webhook after the other, each on what the one before made of the object. */
  @Override
  public KubeObject mutate(
      AdmissionRequest request, Reinvocation reinvocation, Consumer<String> warnings) {
    Reinvocation.Steps steps = reinvocation.of(this);
    AdmissionRequest current = request;
    steps.begin(request.object().orElseThrow());
    for (Webhook webhook : mutating.of(contexts.origin(request))) {
      if (!steps.runs(webhook.key())) {
        continue;
      }
      AdmissionRequest changed = mutateBy(webhook, current, warnings);
      if (!changed.object().equals(current.object())) {
        steps.changed();
      }
      if (webhook.reinvoked()) {
        steps.invoked(webhook.key());
      }
      current = changed;
    }
    KubeObject result = current.object().orElseThrow();
    steps.end(result);
    return result;
  }

  /** All webhooks at once; the refusal of the first in order counts. */
  @Override
  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    var calls = new ArrayList<WebhookCall>();
    for (Webhook webhook : validating.of(contexts.origin(request))) {
      relevant(webhook, request).ifPresent(calls::add);
    }
    if (calls.size() == 1) {
      validateBy(calls.getFirst()).forEach(warnings);
    } else if (!calls.isEmpty()) {
      List<Future<List<String>>> answers =
          calls.stream().map(call -> parallel.submit(() -> validateBy(call))).toList();
      answers.forEach(answer -> await(answer).forEach(warnings));
    }
  }

  private Optional<WebhookCall> relevant(Webhook webhook, AdmissionRequest request) {
    return switch (WebhookMatcher.match(webhook, request, contexts.of(request))) {
      case WebhookMatcher.Match.Skip() -> Optional.empty();
      case WebhookMatcher.Match.Call(var call) -> Optional.of(call);
      case WebhookMatcher.Match.Undecided(var problem) -> {
        if (!webhook.ignoresFailures()) {
          throw WebhookDenial.undecided(request, problem);
        }
        yield Optional.empty();
      }
    };
  }

  private List<String> validateBy(WebhookCall call) {
    return ask(call, ReviewCodec.Kind.VALIDATING)
        .map(ReviewCodec.Answer::warnings)
        .orElse(List.of());
  }

  private AdmissionRequest mutateBy(
      Webhook webhook, AdmissionRequest request, Consumer<String> warnings) {
    Optional<WebhookCall> call = relevant(webhook, request);
    if (call.isEmpty()) {
      return request;
    }
    Optional<ReviewCodec.Answer> answer = ask(call.get(), ReviewCodec.Kind.MUTATING);
    answer.ifPresent(given -> given.warnings().forEach(warnings));
    List<Object> patch = answer.map(ReviewCodec.Answer::patch).orElse(List.of());
    if (patch.isEmpty()) {
      return request;
    }
    KubeObject seen =
        call.get()
            .write()
            .object()
            .map(call.get().write()::located)
            .orElseThrow(() ->
                ApiFailure.internal(
                    "admission webhook \""
                        + webhook.name()
                        + "\" attempted to modify the object, which is not supported for this"
                        + " operation"));
    KubeObject patched = read(patcher.apply(seen, patch), call.get().write().seen());
    return request.withCompleted(call.get().write().inRequestVersion(patched));
  }

  /** A patched object of a type that Kubernetes knows is read as such: without unknown fields. */
  private static KubeObject read(KubeObject patched, ResourceDefinition definition) {
    if (definition.origin() == ResourceDefinition.Origin.CUSTOM) {
      return patched;
    }
    var context = WriteContext.internal(LogicalCluster.NONE, patched.namespace(), "admission");
    try {
      return definition.decoder().decodePatched(patched, context);
    } catch (UnreadableObject unreadable) {
      throw ApiFailure.internal(unreadable.why());
    }
  }

  /** Empty if the webhook could not be asked and that is to be ignored; throws if it denies. */
  private Optional<ReviewCodec.Answer> ask(WebhookCall call, ReviewCodec.Kind kind) {
    Webhook webhook = call.webhook();
    if (call.write().request().effect() == Effect.DRY_RUN && webhook.hasSideEffects()) {
      throw WebhookDenial.dryRunUnsupported(webhook.name());
    }
    ReviewCodec.Answer answer;
    try {
      String uid = ids.get();
      Duration late =
          faults
              .lateness(Fault.SLOW_WEBHOOK, call.write().request().user().name())
              .orElse(Duration.ZERO);
      byte[] review = ReviewCodec.write(call, uid);
      answer = ReviewCodec.read(caller.post(webhook.target(), review, late), uid, webhook, kind);
    } catch (WebhookCaller.Untrustable e) {
      return failed(webhook, String.valueOf(e.getMessage()));
    } catch (WebhookCaller.CallFailed e) {
      return failed(webhook, "failed to call webhook: " + e.getMessage());
    } catch (ReviewCodec.InvalidAnswer e) {
      return failed(webhook, String.valueOf(e.getMessage()));
    }
    if (!answer.allowed()) {
      throw WebhookDenial.denied(webhook.name(), answer.result());
    }
    return Optional.of(answer);
  }

  private static Optional<ReviewCodec.Answer> failed(Webhook webhook, String problem) {
    if (!webhook.ignoresFailures()) {
      throw WebhookDenial.uncallable(webhook.name(), problem);
    }
    LOG.warn("failed calling webhook {}, failing open: {}", webhook.name(), problem);
    return Optional.empty();
  }

  private static List<String> await(Future<List<String>> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApiFailure failure) {
        throw failure;
      }
      throw new IllegalStateException("a webhook's dispatch broke", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiFailure.internal("the server is shutting down");
    }
  }

  @Override
  public void close() {
    parallel.shutdownNow();
    validating.close();
    mutating.close();
  }
}
