package dev.mooring.depcontroller.ca;

import dev.mooring.depcontroller.ca.CertificateStore.Held;
import dev.mooring.depcontroller.ca.decide.RotationPace;
import dev.mooring.depcontroller.ca.decide.RotationPlanner;
import dev.mooring.depcontroller.ca.decide.RotationStep;
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
 * Is the installation's own certificate authority: makes it, has the webhook show its certificates
 * and replaces both in time. Remembers nothing but what it last read, and since when that is
 * everywhere; looks are not to overlap.
 */
public final class CertificateKeeper {
  /** The names of the Secrets that are kept. */
  public static final List<String> SECRETS =
      List.of(CertificateStore.AUTHORITIES, CertificateStore.SERVING);

  private static final Logger LOG = LoggerFactory.getLogger(CertificateKeeper.class);

  private final CertificateStore store;
  private final SortedSet<String> names;
  private final RotationPace pace;
  private final InstantSource clock;
  private final Ids ids;
  private final BooleanSupplier leads;
  private final Predicate<String> spread;
  private volatile String bundle = "";
  private volatile Optional<X509Certificate> signing = Optional.empty();
  private volatile Optional<X509Certificate> shown = Optional.empty();

  /** The bundle that every configuration was last seen to have, and since when; looks' own. */
  private Optional<Seen> everywhere = Optional.empty();

  private record Seen(String bundle, Instant since) {}

  /**
   * @param workspace where the Secrets are
   * @param names that the webhook is reached by
   * @param leads whether this process may write
   * @param spread whether every configuration has this CA bundle, in Base64
   */
  public CertificateKeeper(
      KubeClient workspace,
      String namespace,
      SortedSet<String> names,
      RotationPace pace,
      InstantSource clock,
      Ids ids,
      BooleanSupplier leads,
      Predicate<String> spread) {
    this.store = new CertificateStore(workspace, namespace);
    this.names = names;
    this.pace = pace;
    this.clock = clock;
    this.ids = ids;
    this.leads = leads;
    this.spread = spread;
  }

  /**
   * As it stands in a webhook configuration: Base64.
   *
   * @throws IllegalStateException while there is no authority
   */
  public String base64() {
    if (bundle.isEmpty()) {
      throw new IllegalStateException(
          "the webhook's own certificate authority has not been made or read yet; the controller's"
              + " log says why");
    }
    return bundle;
  }

  /** The authority that signs, as last read. */
  public Optional<X509Certificate> authority() {
    return signing;
  }

  /** What the webhook is to show, as last read. */
  public Optional<X509Certificate> serving() {
    return shown;
  }

  /**
   * Reads the Secrets and takes at most a few steps. What fails is tried again at the next look.
   *
   * @return whether the bundle changed
   */
  public boolean look() {
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
      switch (failure.kind()) {
        case CONFLICT, ALREADY_EXISTS -> LOG.debug("Somebody else changed the certificates");
        case NOT_FOUND,
            NOT_SERVED,
            INVALID,
            FORBIDDEN,
            UNAUTHORIZED,
            GONE,
            TOO_LARGE,
            UNAVAILABLE ->
            LOG.warn("The webhook's certificates cannot be kept: {}", failure.getMessage());
      }
    } catch (IllegalStateException broken) {
      LOG.error("The webhook's certificates cannot be kept: {}", broken.getMessage());
    } catch (RuntimeException unforeseen) {
      // The next look may find something better; without one, certificates would end.
      LOG.error("The webhook's certificates cannot be kept", unforeseen);
    }
    return !bundle.equals(before);
  }

  /** Whether something was written. */
  private boolean step(Held held) {
    RotationStep step =
        RotationPlanner.plan(
            held.certificates(), everywhereSince(held), names, pace, clock.instant());
    switch (step) {
      case RotationStep.Rest() -> {
        return false;
      }
      case RotationStep.Found() ->
          store.writeAuthorities(
              held.withAuthorities(
                  Optional.of(newAuthority()), Optional.empty(), Optional.empty()));
      case RotationStep.AddNext() ->
          store.writeAuthorities(
              held.withAuthorities(held.current(), Optional.of(newAuthority()), held.old()));
      case RotationStep.Promote() ->
          store.writeAuthorities(
              held.withAuthorities(held.next(), Optional.empty(), held.current()));
      case RotationStep.DropOld() ->
          store.writeAuthorities(
              held.withAuthorities(held.current(), held.next(), Optional.empty()));
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
    LOG.info("Certificates of the webhook: {}", step);
    return true;
  }

  private Optional<Instant> everywhereSince(Held held) {
    String now = encoded(held);
    if (!spread.test(now)) {
      everywhere = Optional.empty();
    } else if (everywhere.filter(seen -> seen.bundle().equals(now)).isEmpty()) {
      everywhere = Optional.of(new Seen(now, clock.instant()));
    }
    return everywhere.map(Seen::since);
  }

  private KeyedCertificate newAuthority() {
    return Issuer.authority(clock.instant(), ids.next());
  }

  private static String encoded(Held held) {
    return Base64.getEncoder().encodeToString(held.bundle().getBytes(StandardCharsets.US_ASCII));
  }
}
