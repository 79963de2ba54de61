package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.admission.BodyReader;
import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.ReviewLimiter;
import dev.mooring.depwebhook.admission.WebhookEntry;
import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.signature.SignatureCheck;
import dev.mooring.depwebhook.signature.SignatureCheck.Admission;
import dev.mooring.depwebhook.signature.SignatureCheck.Proof;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.trace.Tracing;
import dev.mooring.runtime.trace.WorkSpan;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where kcp sends its reviews. Bytes in, bytes out: the framework's JSON mapping knows nothing of
 * Kubernetes' types.
 */
@RestController
class AdmissionEndpoint {
  private static final String PROVIDER = WebhookContract.VALIDATE_PATH + "/{provider}";

  /** After these another replica may know more. */
  private static final Set<Outcome> CLOSING = EnumSet.of(Outcome.NOT_READY, Outcome.UNCHECKED);

  private static final Set<Outcome> UNEVALUATED =
      EnumSet.of(
          Outcome.NOT_READY,
          Outcome.UNCHECKED,
          Outcome.LOOKUP_FAILED,
          Outcome.MALFORMED,
          Outcome.TIMED_OUT,
          Outcome.FAILED);

  private static final Logger LOG = LoggerFactory.getLogger(AdmissionEndpoint.class);

  private final SignatureCheck signatures;
  private final ReviewLimiter reviews;
  private final Drain drain;
  private final Connections connections;
  private final MeterRegistry meters;
  private final Tracing tracing;
  private final Counter acceptedUnsigned;
  private final Counter refusedUnsigned;

  AdmissionEndpoint(
      SignatureCheck signatures,
      ReviewLimiter reviews,
      Drain drain,
      Connections connections,
      MeterRegistry meters,
      Tracing tracing) {
    this.signatures = signatures;
    this.reviews = reviews;
    this.drain = drain;
    this.connections = connections;
    this.meters = meters;
    this.tracing = tracing;
    Stream.of(Outcome.values()).forEach(this::timer);
    this.acceptedUnsigned = unsigned("accepted");
    this.refusedUnsigned = unsigned("refused");
    Gauge.builder(
            "mooring.dependency.webhook.signatures.required",
            signatures,
            check -> check.required() ? 1 : 0)
        .description("1 if reviews without a valid signature are refused, else 0")
        .register(meters);
  }

  private Counter unsigned(String outcome) {
    return Counter.builder("mooring.dependency.webhook.reviews.unsigned")
        .description("Reviews without a valid signature, by outcome")
        .tag("outcome", outcome)
        .register(meters);
  }

  private Timer timer(Outcome outcome) {
    return Timer.builder("mooring.dependency.webhook.reviews")
        .description("Admission reviews, by decision")
        .tag("decision", outcome.label())
        .publishPercentileHistogram()
        .register(meters);
  }

  /** A review from a provider's configuration; without the provider, from one of the Go program. */
  @PostMapping(
      path = {WebhookContract.VALIDATE_PATH, PROVIDER},
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> validate(
      HttpServletRequest request,
      @PathVariable(name = "provider", required = false) @Nullable String inPath,
      @RequestParam(name = "provider", required = false) @Nullable String inQuery,
      @RequestParam(name = "timeout", defaultValue = "") String timeout)
      throws IOException {
    // A signature is part of a path: API servers refuse URLs with a query.
    String unsigned = inQuery == null || inQuery.contains(".") ? "" : inQuery;
    String segment = inPath == null ? unsigned : inPath;
    return answered(request, signatures.admit(segment), Kind.DENYING, timeout);
  }

  /**
   * A deletion that rules only warn about or audit, as far as the webhook configuration knows: a
   * review that cannot be evaluated is allowed with a warning.
   */
  @PostMapping(
      path = {PROVIDER + WebhookContract.WARN_PATH, PROVIDER + WebhookContract.WARN_PATH_BEFORE},
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> warn(
      HttpServletRequest request,
      @PathVariable(name = "provider") String segment,
      @RequestParam(name = "timeout", defaultValue = "") String timeout)
      throws IOException {
    return answered(request, signatures.admit(segment), Kind.WARNING, timeout);
  }

  /** Notifies of a deletion that is allowed in any case. */
  @PostMapping(
      path = {
        PROVIDER + WebhookContract.NOTIFY_PATH,
        PROVIDER + WebhookContract.NOTIFY_PATH_BEFORE
      },
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> notify(
      HttpServletRequest request,
      @PathVariable(name = "provider") String segment,
      @RequestParam(name = "timeout", defaultValue = "") String timeout)
      throws IOException {
    return answered(request, signatures.admitNotification(segment), Kind.NOTIFYING, timeout);
  }

  /** No API server sends other requests: a client could keep its connection by them. */
  @RequestMapping("/**")
  ResponseEntity<byte[]> other() {
    return status(HttpStatus.NOT_FOUND, "NotFound", "reviews are sent by POST to /validate");
  }

  /**
   * Spring answers OPTIONS itself, and keeps the connection, unless a mapping names that method.
   */
  @RequestMapping(path = "/**", method = RequestMethod.OPTIONS)
  ResponseEntity<byte[]> options() {
    return other();
  }

  /** A review that is not signed is refused before a byte of its body is read. */
  private ResponseEntity<byte[]> answered(
      HttpServletRequest request, Admission admission, Kind entry, String timeout)
      throws IOException {
    Timer.Sample sample = Timer.start(meters);
    return switch (admission) {
      case Admission.Refused(var reason) -> {
        refusedUnsigned.increment();
        LOG.debug("Refused a review from {}: {}", request.getRemoteAddr(), reason);
        yield status(HttpStatus.FORBIDDEN, "Forbidden", reason);
      }
      case Admission.Accepted(var provider, var proof) -> {
        connections.brought(request);
        if (proof == Proof.UNSIGNED) {
          acceptedUnsigned.increment();
        }
        LogFields about = LogFields.NONE.provider(provider);
        try (var _ = about.open();
            WorkSpan _ = tracing.received("review", request::getHeader).about(about)) {
          yield sent(
              reviews.limit(
                  request.getInputStream(),
                  request.getContentLengthLong(),
                  new WebhookEntry(provider, entry),
                  timeout),
              sample);
        } catch (BodyReader.SlowBody slow) {
          // Any client can send one that is not signed.
          LOG.atLevel(proof == Proof.SIGNED ? Level.WARN : Level.DEBUG)
              .log("A review from {} was not read: {}", request.getRemoteAddr(), slow.getMessage());
          yield status(HttpStatus.REQUEST_TIMEOUT, "Timeout", String.valueOf(slow.getMessage()));
        }
      }
    };
  }

  /** An answer that is no review, to a client that may send its body for ever. */
  private static ResponseEntity<byte[]> status(HttpStatus status, String reason, String message) {
    Map<String, Object> answer =
        Map.of(
            "kind",
            "Status",
            "apiVersion",
            "v1",
            "metadata",
            Map.of(),
            "status",
            "Failure",
            "reason",
            reason,
            "message",
            message,
            "code",
            (long) status.value());
    return ResponseEntity.status(status)
        .contentType(MediaType.APPLICATION_JSON)
        .header("Connection", "close")
        .body(KubeJson.write(Trees.freezeMap(answer)));
  }

  private ResponseEntity<byte[]> sent(Answer answer, Timer.Sample sample) {
    sample.stop(timer(answer.outcome()));
    WorkSpan review = WorkSpan.current().tag("mooring.decision", answer.outcome().label());
    if (UNEVALUATED.contains(answer.outcome())) {
      review.failed(answer.outcome().label());
    }
    var response = ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON);
    // On another connection a replica that is ready may answer.
    if (drain.lastOfItsConnection()
        || connections.makesRoom()
        || CLOSING.contains(answer.outcome())) {
      response.header("Connection", "close");
    }
    return response.body(answer.body());
  }
}
