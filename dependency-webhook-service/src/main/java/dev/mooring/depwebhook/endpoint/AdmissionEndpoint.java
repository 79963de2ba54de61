package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.admission.Decision;
import dev.mooring.depwebhook.admission.Entry;
import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.ReviewIntake;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where kcp sends its reviews. Bytes in, bytes out: the framework's JSON mapping knows nothing of
 * Kubernetes' types.
 */
@RestController
class AdmissionEndpoint {
  /** After these another replica is worth asking. */
  private static final Set<Decision> CLOSING = EnumSet.of(Decision.NOT_READY, Decision.UNCHECKED);

  private final ReviewIntake reviews;
  private final Drain drain;
  private final Connections connections;
  private final Map<Decision, Timer> timers = new EnumMap<>(Decision.class);
  private final MeterRegistry meters;

  AdmissionEndpoint(
      ReviewIntake reviews, Drain drain, Connections connections, MeterRegistry meters) {
    this.reviews = reviews;
    this.drain = drain;
    this.connections = connections;
    this.meters = meters;
    for (Decision decision : Decision.values()) {
      timers.put(
          decision,
          Timer.builder("mooring.dependency.webhook.reviews")
              .description("Reviews answered, by what they came to")
              .tag("decision", decision.label())
              .publishPercentileHistogram()
              .register(meters));
    }
  }

  /** A review from a provider's configuration; without the provider, from one of the Go program. */
  @PostMapping(
      path = {"/validate", "/validate/{provider}"},
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> validate(
      HttpServletRequest request,
      @PathVariable(name = "provider", required = false) @Nullable String inPath,
      @RequestParam(name = "provider", required = false) @Nullable String inQuery,
      @RequestParam(name = "timeout", defaultValue = "") String timeout)
      throws IOException {
    String provider = inPath != null ? inPath : inQuery != null ? inQuery : "";
    Timer.Sample sample = Timer.start(meters);
    return sent(answer(request, Entry.binding(provider), timeout), sample);
  }

  /**
   * A deletion that rules only warn of or audit, as far as the provider's configuration knows: what
   * the webhook does not know is no reason to refuse it. Those of older controllers ask by the path
   * above.
   */
  @PostMapping(path = "/validate/{provider}/advised", produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> advised(
      HttpServletRequest request,
      @PathVariable(name = "provider") String provider,
      @RequestParam(name = "timeout", defaultValue = "") String timeout)
      throws IOException {
    Timer.Sample sample = Timer.start(meters);
    return sent(answer(request, Entry.advisory(provider), timeout), sample);
  }

  /**
   * A deletion that a provider's configuration only tells of. Those of older controllers tell by
   * the path above.
   */
  @PostMapping(path = "/validate/{provider}/told", produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> told(
      HttpServletRequest request,
      @PathVariable(name = "provider") String provider,
      @RequestParam(name = "timeout", defaultValue = "") String timeout)
      throws IOException {
    Timer.Sample sample = Timer.start(meters);
    Answer answer =
        reviews.told(request.getInputStream(), request.getContentLengthLong(), provider, timeout);
    return sent(answer, sample);
  }

  private Answer answer(HttpServletRequest request, Entry entry, String timeout)
      throws IOException {
    return reviews.answer(request.getInputStream(), request.getContentLengthLong(), entry, timeout);
  }

  private ResponseEntity<byte[]> sent(Answer answer, Timer.Sample sample) {
    sample.stop(timers.get(answer.decision()));
    var response = ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON);
    // By another connection a replica that is ready may answer, or none: then kcp goes by what the
    // configuration says of that.
    if (drain.lastOfItsConnection()
        || connections.makesRoom()
        || CLOSING.contains(answer.decision())) {
      response.header("Connection", "close");
    }
    return response.body(answer.body());
  }
}
