package dev.mooring.depcontroller.ca.selfmanaged;

import dev.mooring.depcontroller.ca.CaSource;
import dev.mooring.depcontroller.ca.selfmanaged.CertificateStore.Held;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationPlanner;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationTimings;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Ids;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller as the webhook's certificate authority (CA): issues the CA certificate and the
 * webhook's serving certificate, keeps both in Secrets, and renews them in time. Remembers only
 * what it last read, and since when every webhook configuration has it. {@link #refresh} must not
 * run concurrently with itself.
 */
public final class SelfManagedCa implements CaSource {
  /** The names of the Secrets that are kept. */
  public static final List<String> SECRETS =
      List.of(CertificateStore.CA_SECRET, CertificateStore.SERVING_SECRET);

  private static final Logger LOG = LoggerFactory.getLogger(SelfManagedCa.class);

  private final CertificateStore store;
  private final SortedSet<String> names;
  private final RotationTimings timings;
  private final InstantSource clock;
  private final Ids ids;
  private final BooleanSupplier leads;
  private volatile Predicate<String> installed = _ -> false;
  private volatile String bundle = "";
  private volatile Optional<X509Certificate> signing = Optional.empty();
  private volatile Optional<X509Certificate> shown = Optional.empty();

  /**
   * The bundle that every configuration was last seen to have, and since when; of {@link #refresh}.
   */
  private Optional<Seen> everywhere = Optional.empty();

  private record Seen(String bundle, Instant since) {}

  /**
   * @param workspace where the Secrets are
   * @param names by which kcp's API servers reach the webhook
   * @param leads whether this process may write
   */
  public SelfManagedCa(
      KubeClient workspace,
      String namespace,
      SortedSet<String> names,
      RotationTimings timings,
      InstantSource clock,
      Ids ids,
      BooleanSupplier leads) {
    this.store = new CertificateStore(workspace, namespace);
    this.names = names;
    this.timings = timings;
    this.clock = clock;
    this.ids = ids;
    this.leads = leads;
  }

  /**
   * Sets how the rollout of a new CA is observed; until then no rotation goes on.
   *
   * @param everywhere whether every webhook configuration has this CA bundle, in Base64
   */
  public void observeRollout(Predicate<String> everywhere) {
    installed = everywhere;
  }

  @Override
  public String base64() {
    if (bundle.isEmpty()) {
      throw new IllegalStateException(
          "the self-managed CA has not been issued or read yet; the controller's log says why");
    }
    return bundle;
  }

  @Override
  public Optional<X509Certificate> signing() {
    return signing;
  }

  @Override
  public Optional<X509Certificate> serving() {
    return shown;
  }

  /** Reads the Secrets, then writes them until nothing is left to do; retried at the next call. */
  @Override
  public boolean refresh() {
    String before = bundle;
    try {
      boolean more = true;
      while (more) {
        Held held = store.read();
        bundle = encoded(held);
        signing = held.current().map(KeyedCertificate::certificate);
        shown = held.serving().map(KeyedCertificate::certificate);
        more = leads.getAsBoolean() && step(held);
      }
    } catch (KubeFailure failure) {
      if (failure.isConflict()) {
        LOG.debug("Another replica changed the webhook's certificates");
      } else {
        LOG.warn("Rotation of the webhook's certificates failed: {}", failure.getMessage());
      }
    } catch (IllegalStateException broken) {
      LOG.error("Rotation of the webhook's certificates failed: {}", broken.getMessage());
    } catch (RuntimeException unforeseen) {
      // Without another attempt, certificates would expire.
      LOG.error("Rotation of the webhook's certificates failed", unforeseen);
    }
    return !bundle.equals(before);
  }

  /** Whether something was written. */
  private boolean step(Held held) {
    RotationStep step =
        RotationPlanner.plan(
            held.certificates(), everywhereSince(held), names, timings, clock.instant());
    switch (step) {
      case RotationStep.Wait() -> {
        return false;
      }
      case RotationStep.CreateFirst() ->
          store.writeCas(held.withCas(Optional.of(newCa()), Optional.empty(), Optional.empty()));
      case RotationStep.AddNext() ->
          store.writeCas(held.withCas(held.current(), Optional.of(newCa()), held.old()));
      case RotationStep.Promote() ->
          store.writeCas(held.withCas(held.next(), Optional.empty(), held.current()));
      case RotationStep.DropOld() ->
          store.writeCas(held.withCas(held.current(), held.next(), Optional.empty()));
      case RotationStep.IssueServing(var signer) ->
          store.writeServing(
              held,
              Issuer.serving(
                  switch (signer) {
                    case CURRENT -> held.current().orElseThrow();
                    case NEXT -> held.next().orElseThrow();
                  },
                  names,
                  clock.instant(),
                  ids.next()));
    }
    LOG.info("Wrote the webhook's certificates: {}", step);
    return true;
  }

  private Optional<Instant> everywhereSince(Held held) {
    String now = encoded(held);
    if (!installed.test(now)) {
      everywhere = Optional.empty();
    } else if (everywhere.filter(seen -> seen.bundle().equals(now)).isEmpty()) {
      everywhere = Optional.of(new Seen(now, clock.instant()));
    }
    return everywhere.map(Seen::since);
  }

  private KeyedCertificate newCa() {
    return Issuer.ca(clock.instant(), ids.next());
  }

  private static String encoded(Held held) {
    return Base64.getEncoder().encodeToString(held.bundle().getBytes(StandardCharsets.US_ASCII));
  }
}
