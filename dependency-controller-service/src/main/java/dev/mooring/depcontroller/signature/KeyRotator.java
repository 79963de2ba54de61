package dev.mooring.depcontroller.signature;

import dev.mooring.depcontroller.signature.decide.KeyFacts;
import dev.mooring.depcontroller.signature.decide.KeyPlanner;
import dev.mooring.depcontroller.signature.decide.KeyStep;
import dev.mooring.depcontroller.signature.decide.KeyTimings;
import dev.mooring.depcontroller.signature.decide.UnsignedProviders;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.SecretStore;
import dev.mooring.runtime.signature.ReviewKeys;
import dev.mooring.runtime.signature.ReviewKeys.Unsigned;
import dev.mooring.runtime.signature.SigningKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and rotates the keys with which the URLs of webhook configurations are signed. Remembers
 * only what it last read, and since when. {@link #reconcile} must not run concurrently with itself;
 * {@link #signing} and {@link #summary} are thread-safe.
 */
public final class KeyRotator {
  private static final Logger LOG = LoggerFactory.getLogger(KeyRotator.class);

  /** Requests a new key, with any value. */
  private static final String ROTATE = "dependencies.opendefense.cloud/rotate";

  private final SecretStore secrets;
  private final String where;
  private final KeyTimings timings;
  private final InstantSource clock;
  private final BooleanSupplier leads;
  private volatile Unsigners unsigned = _ -> Optional.empty();

  private Optional<Held> held = Optional.empty();
  private Optional<SeenUnsigned> unsignedProviders = Optional.empty();
  private String problem = "";
  private volatile Optional<SigningKey> signing = Optional.empty();
  private volatile String summary = "not read yet";

  /** Since when the Secret has this version. */
  private record Held(String version, Instant since) {}

  private record SeenUnsigned(SigningKey key, UnsignedProviders unsignedProviders) {}

  /** Finds the providers whose configuration is not signed. */
  @FunctionalInterface
  public interface Unsigners {
    /**
     * @param signed the segment that each entry's URL of a provider has to have
     * @return empty while configurations are not known
     */
    Optional<SortedSet<LogicalCluster>> without(Function<LogicalCluster, String> signed);
  }

  /**
   * @param workspace where the Secret is
   * @param leads whether this process may write
   */
  public KeyRotator(
      KubeClient workspace,
      String namespace,
      KeyTimings timings,
      InstantSource clock,
      BooleanSupplier leads) {
    this.secrets = new SecretStore(workspace, namespace);
    this.where = "Secret " + ReviewKeys.SECRET + " in namespace " + namespace;
    this.timings = timings;
    this.clock = clock;
    this.leads = leads;
  }

  /** Sets how the rollout of a key is observed; until then no rotation goes on. */
  public void observeRollout(Unsigners unsigned) {
    this.unsigned = unsigned;
  }

  /**
   * The key that configurations are signed with; empty if none is known. A key that was known once
   * signs until another one does, also while the Secret is unreadable.
   */
  public Optional<SigningKey> signing() {
    return signing;
  }

  /** For reports: whether reviews have to be signed, or what keeps them from it. */
  public String summary() {
    return summary;
  }

  /**
   * Reads the Secret and writes at most one step. What fails is retried at the next call.
   *
   * @return whether another key signs than before
   */
  public boolean reconcile() {
    Optional<SigningKey> before = signing;
    try {
      Optional<KubeObject> secret = secrets.find(ReviewKeys.SECRET);
      if (step(secret)) {
        take(secrets.find(ReviewKeys.SECRET));
      }
      problem = "";
    } catch (KubeFailure failure) {
      failed(failure);
    } catch (IllegalArgumentException unreadable) {
      report(
          where
              + " cannot be understood: "
              + unreadable.getMessage()
              + "; put back what was there, or delete it to have it made again");
    } catch (RuntimeException unforeseen) {
      report(where + " could not be read: " + unforeseen.getClass().getSimpleName());
      LOG.debug("Reconciling the signing keys failed", unforeseen);
    }
    return !signing.equals(before);
  }

  /** Whether something was written. */
  private boolean step(Optional<KubeObject> secret) {
    Optional<ReviewKeys> keys = take(secret);
    KeyStep step =
        KeyPlanner.plan(
            keys.map(read -> facts(read, secret.orElseThrow())),
            held.map(Held::since).orElseGet(clock::instant),
            keys.flatMap(ReviewKeys::current).flatMap(this::unsignedProviders),
            timings,
            clock.instant());
    Optional<ReviewKeys> changed = after(step, keys);
    if (changed.isEmpty() || !leads.getAsBoolean()) {
      return false;
    }
    Optional<KubeObject> before =
        step instanceof KeyStep.AddNext ? secret.map(KeyRotator::withoutRequest) : secret;
    secrets.write(ReviewKeys.SECRET, "Opaque", changed.get().data(), before);
    LOG.info("Keys that sign the URLs of webhook configurations: {}", step);
    return true;
  }

  /** The keys that a step leaves in the Secret; empty if it writes nothing. */
  private static Optional<ReviewKeys> after(KeyStep step, Optional<ReviewKeys> keys) {
    return switch (step) {
      case KeyStep.Wait() -> Optional.empty();
      case KeyStep.CreateFirst() ->
          Optional.of(
              new ReviewKeys(
                  Optional.empty(),
                  Optional.of(SigningKey.generate()),
                  Optional.empty(),
                  new Unsigned.Accepted()));
      case KeyStep.AddNext() ->
          keys.map(now ->
              new ReviewKeys(
                  now.current(), Optional.of(SigningKey.generate()), now.old(), now.unsigned()));
      case KeyStep.Promote() ->
          keys.map(
              now -> new ReviewKeys(now.next(), Optional.empty(), now.current(), now.unsigned()));
      case KeyStep.Settle(var excused) ->
          keys.map(now ->
              new ReviewKeys(
                  now.current(),
                  Optional.empty(),
                  Optional.empty(),
                  new Unsigned.Refused(excused)));
    };
  }

  private static KubeObject withoutRequest(KubeObject secret) {
    var annotations = new LinkedHashMap<String, Object>(secret.map("metadata", "annotations"));
    annotations.remove(ROTATE);
    return secret.with(annotations, "metadata", "annotations");
  }

  private Optional<ReviewKeys> take(Optional<KubeObject> secret) {
    Optional<ReviewKeys> keys = secret.map(ReviewKeys::read);
    String version = secret.map(KubeObject::resourceVersion).orElse("");
    if (held.filter(known -> known.version().equals(version)).isEmpty()) {
      held = Optional.of(new Held(version, clock.instant()));
    }
    keys.flatMap(ReviewKeys::current).ifPresent(current -> signing = Optional.of(current));
    summary = keys.map(KeyRotator::summary).orElse(where + " is not there yet");
    return keys;
  }

  private Optional<UnsignedProviders> unsignedProviders(SigningKey key) {
    Optional<SortedSet<LogicalCluster>> now = unsigned.without(key::segment);
    if (now.isEmpty()) {
      unsignedProviders = Optional.empty();
    } else if (unsignedProviders
        .filter(seen -> seen.key().equals(key))
        .filter(seen -> seen.unsignedProviders().providers().equals(now.get()))
        .isEmpty()) {
      unsignedProviders =
          Optional.of(new SeenUnsigned(key, new UnsignedProviders(now.get(), clock.instant())));
    }
    return unsignedProviders.map(SeenUnsigned::unsignedProviders);
  }

  private static KeyFacts facts(ReviewKeys keys, KubeObject secret) {
    return new KeyFacts(
        keys.current().isPresent(),
        keys.next().isPresent(),
        keys.old().isPresent(),
        switch (keys.unsigned()) {
          case Unsigned.Accepted() -> Optional.empty();
          case Unsigned.Refused(var except) -> Optional.of(except);
        },
        secret.annotation(ROTATE).isPresent());
  }

  private static String summary(ReviewKeys keys) {
    String signed =
        keys.current()
            .map(key -> "URLs are signed with " + key)
            .orElse("URLs are signed once every webhook has had time to read the first key");
    return signed
        + switch (keys.unsigned()) {
          case Unsigned.Accepted() -> "; unsigned reviews are accepted until all are signed";
          case Unsigned.Refused(var except) when except.isEmpty() ->
              "; unsigned reviews are refused";
          case Unsigned.Refused(var except) ->
              "; unsigned reviews are refused but of these providers, whose webhook configuration"
                  + " could not be signed: "
                  + except.stream().map(LogicalCluster::name).collect(Collectors.joining(", "));
        };
  }

  private void failed(KubeFailure failure) {
    if (failure.isConflict()) {
      LOG.debug("Another replica changed the signing keys");
    } else if (failure.kind() == KubeFailure.Kind.FORBIDDEN) {
      report(
          where
              + " cannot be read or written, so reviews need no signature yet: "
              + failure.getMessage()
              + "; let the controller's user create, get and update it, as"
              + " rbac-dependency-workspace.yaml does");
    } else {
      report(where + " cannot be read or written: " + failure.getMessage());
    }
  }

  private void report(String what) {
    summary = what;
    if (!what.equals(problem)) {
      problem = what;
      LOG.warn("{}", what);
    }
  }
}
