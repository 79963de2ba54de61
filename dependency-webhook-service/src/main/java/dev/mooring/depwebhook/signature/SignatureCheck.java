package dev.mooring.depwebhook.signature;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.signature.ReviewKeys;
import dev.mooring.runtime.signature.ReviewKeys.Unsigned;
import dev.mooring.runtime.signature.ReviewSegment;
import dev.mooring.runtime.time.Pause;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Decides by a review's URL whether it comes from a webhook configuration of the dependency
 * controller, which signs it. The keys are in Secret {@value ReviewKeys#SECRET}, read by name every
 * {@link #PERIOD} and before each refusal. Keys that were read once stay in use while the Secret is
 * missing or cannot be read. Without keys every review is accepted: a forged review lets no
 * referenced object be deleted, and refusing all would be an outage. Notifications are refused
 * until it is known whether there are keys. Thread-safe.
 */
public final class SignatureCheck implements AutoCloseable {
  /** In which a change is noticed that lets fewer reviews in; one that lets more in, at once. */
  public static final Duration PERIOD = Duration.ofSeconds(5);

  /** Forged reviews cause ten reads a second at most. */
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private static final Logger LOG = LoggerFactory.getLogger(SignatureCheck.class);
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final KubeReader workspace;
  private final String namespace;
  private final InstantSource clock;
  private final Pause pause;
  private Instant lastRead;
  private String problem = "";
  private String version = "";
  private volatile KeyState state = new KeyState.Pending("it has not been read yet");
  private volatile Scheduler.Scheduled reads = () -> {};

  /**
   * @param workspace of the APIExport
   * @param clock that does not jump
   */
  public SignatureCheck(KubeReader workspace, String namespace, InstantSource clock, Pause pause) {
    this.workspace = workspace;
    this.namespace = namespace;
    this.clock = clock;
    this.pause = pause;
    this.lastRead = clock.instant();
  }

  /** Reads the Secret once, then again and again. */
  public SignatureCheck start(Scheduler scheduler) {
    read();
    reads = scheduler.every(PERIOD, "url-keys", this::read);
    return this;
  }

  /** What the webhook knows of the keys that sign the URLs of webhook configurations. */
  public sealed interface KeyState {
    /** Unknown so far: the Secret could not be read, or does not contain valid keys. */
    record Pending(String reason) implements KeyState {}

    /**
     * There is no Secret: the controller does not sign, as the Go program's does not. Or the
     * webhook may not read it, and never could since it started.
     */
    record Unchecked(String reason) implements KeyState {}

    /** As last read. */
    record Known(ReviewKeys keys) implements KeyState {}
  }

  /** What becomes of a review, by its URL. */
  public sealed interface Admission {
    /**
     * It is judged.
     *
     * @param provider the name of its logical cluster; empty if the URL does not say
     */
    record Accepted(String provider, Proof proof) implements Admission {}

    /** It is not read. */
    record Refused(String reason) implements Admission {}
  }

  /** Why a review is accepted. */
  public enum Proof {
    SIGNED,
    UNSIGNED
  }

  /**
   * Reads the Secret before it refuses: a key signs as soon as the Secret has it.
   *
   * @param segment of the URL that names the provider; empty if there is none
   */
  public Admission admit(String segment) {
    ReviewSegment read = ReviewSegment.parse(segment);
    Admission known = admit(read);
    if (known instanceof Admission.Accepted) {
      return known;
    }
    readSince(clock.instant());
    return admit(read);
  }

  private Admission admit(ReviewSegment read) {
    return switch (state) {
      case KeyState.Known(var keys) -> {
        if (keys.signed(read)) {
          yield new Admission.Accepted(read.providerName(), Proof.SIGNED);
        }
        yield keys.excuses(read)
            ? new Admission.Accepted(read.providerName(), Proof.UNSIGNED)
            : new Admission.Refused(refusal(read));
      }
      case KeyState.Unchecked(_), KeyState.Pending(_) ->
          new Admission.Accepted(read.providerName(), Proof.UNSIGNED);
    };
  }

  /**
   * As {@link #admit}, for a notification. It leaves an Event in the caller's name, so it is
   * refused until it is known whether it has to be signed.
   */
  public Admission admitNotification(String segment) {
    return state instanceof KeyState.Pending
        ? new Admission.Refused("signatures are " + summary())
        : admit(segment);
  }

  public KeyState state() {
    return state;
  }

  /** Whether a review without a valid signature is refused. */
  public boolean required() {
    return state instanceof KeyState.Known(var keys) && keys.unsigned() instanceof Unsigned.Refused;
  }

  /** What an operator has to know; the same in health, status and log. */
  public String summary() {
    return switch (state) {
      case KeyState.Known(var keys) ->
          switch (keys.unsigned()) {
            case Unsigned.Accepted() ->
                "accepted without a signature until the controller has signed every webhook"
                    + " configuration";
            case Unsigned.Refused(var except) when except.isEmpty() -> "required";
            case Unsigned.Refused(var except) ->
                "required, but not of providers whose webhook configuration the controller could"
                    + " not sign: "
                    + except.stream().map(LogicalCluster::name).collect(Collectors.joining(", "));
          };
      case KeyState.Unchecked(var reason) -> "not checked: " + reason;
      case KeyState.Pending(var reason) -> "not known yet: " + reason;
    };
  }

  /** Waits for a read that started after this instant; all that wait share one. */
  private synchronized void readSince(Instant asked) {
    if (lastRead.isAfter(asked)) {
      return;
    }
    Duration rest = Duration.between(clock.instant(), lastRead.plus(INTERVAL));
    if (rest.isPositive()) {
      pause.forAbout(rest);
    }
    read();
  }

  private synchronized void read() {
    lastRead = clock.instant();
    try {
      Optional<KubeObject> found = workspace.find(SECRETS, namespace, ReviewKeys.SECRET);
      if (found.isPresent()) {
        take(found.get());
      } else if (state instanceof KeyState.Known) {
        report(secret() + " is gone; reviews are checked with the keys that were last read");
      } else {
        become(
            new KeyState.Unchecked(
                secret()
                    + " is not there; Mooring's dependency controller makes it, with the rights in"
                    + " rbac-dependency-workspace.yaml"),
            Level.INFO);
      }
    } catch (KubeFailure failure) {
      failed(failure);
    } catch (RuntimeException unexpected) {
      report(secret() + " could not be read: " + unexpected.getClass().getSimpleName());
    }
  }

  private void take(KubeObject secret) {
    if (secret.resourceVersion().equals(version)) {
      problem = "";
      return;
    }
    try {
      become(new KeyState.Known(ReviewKeys.read(secret)), Level.INFO);
      version = secret.resourceVersion();
    } catch (IllegalArgumentException unreadable) {
      String reason =
          "%s cannot be understood: %s; delete it, and the controller makes it again"
              .formatted(secret(), unreadable.getMessage());
      report(reason);
      if (!(state instanceof KeyState.Known)) {
        state = new KeyState.Pending(reason);
      }
    }
  }

  private void failed(KubeFailure failure) {
    boolean forbidden = failure.kind() == KubeFailure.Kind.FORBIDDEN;
    String reason =
        secret()
            + " cannot be read: "
            + failure.getMessage()
            + (forbidden
                ? "; let the webhook's user get it, as rbac-dependency-workspace.yaml does"
                : "");
    switch (state) {
      case KeyState.Known _ ->
          report(reason + "; reviews are checked with the keys that were last read");
      case KeyState.Unchecked _, KeyState.Pending _ when forbidden ->
          become(new KeyState.Unchecked(reason), Level.WARN);
      case KeyState.Unchecked _ -> report(reason);
      case KeyState.Pending _ -> {
        report(reason);
        state = new KeyState.Pending(reason);
      }
    }
  }

  private void become(KeyState next, Level level) {
    problem = "";
    if (!next.equals(state)) {
      state = next;
      LOG.atLevel(level).log("Signatures of reviews are {}", summary());
    }
  }

  private void report(String what) {
    if (!what.equals(problem)) {
      problem = what;
      LOG.warn("{}", what);
    }
  }

  private String secret() {
    return "Secret " + ReviewKeys.SECRET + " in namespace " + namespace;
  }

  private static String refusal(ReviewSegment segment) {
    return "the URL of this review is not signed by the dependency controller"
        + segment
            .provider()
            .map(provider ->
                ": correct or delete webhook configuration dependency-controller in logical"
                    + " cluster "
                    + provider)
            .orElse("");
  }

  @Override
  public void close() {
    reads.cancel();
  }
}
