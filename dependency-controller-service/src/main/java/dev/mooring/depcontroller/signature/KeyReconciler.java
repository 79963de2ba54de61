package dev.mooring.depcontroller.signature;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.SecretStore;
import dev.mooring.runtime.signature.ReviewKeys;
import dev.mooring.runtime.signature.ReviewKeys.Unsigned;
import dev.mooring.runtime.signature.SigningKey;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the key with which the URLs of webhook configurations are signed, and keeps the list of
 * providers whose reviews need no signature. Operators replace the key by an edit of the Secret.
 * {@link #reconcile} must not run concurrently with itself; {@link #signing} and {@link #summary}
 * are thread-safe.
 */
public final class KeyReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(KeyReconciler.class);

  private final SecretStore secrets;
  private final String where;
  private final BooleanSupplier leads;
  private volatile Unsigners unsigned = _ -> Optional.empty();

  private Optional<Rollout> last = Optional.empty();
  private String problem = "";
  private volatile Optional<SigningKey> signing = Optional.empty();
  private volatile String summary = "not read yet";

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
   * How far the keys have come.
   *
   * @param unsigned providers whose configuration neither key has signed
   * @param signedByOld providers whose configuration the old key has signed
   */
  private record Rollout(
      SortedSet<LogicalCluster> unsigned, SortedSet<LogicalCluster> signedByOld) {}

  /**
   * @param workspace where the Secret is
   * @param leads whether this process may write
   */
  public KeyReconciler(KubeClient workspace, String namespace, BooleanSupplier leads) {
    this.secrets = new SecretStore(workspace, namespace);
    this.where = "Secret " + ReviewKeys.SECRET + " in namespace " + namespace;
    this.leads = leads;
  }

  /** Sets how the rollout of a key is observed; until then no provider is exempted. */
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

  /** For reports: which key signs, who is not signed by it, or what keeps reviews unsigned. */
  public String summary() {
    return summary;
  }

  /**
   * Reads the Secret and writes it at most once. What fails is retried at the next call.
   *
   * @return whether another key signs than before
   */
  public boolean reconcile() {
    Optional<SigningKey> before = signing;
    try {
      reconcile(secrets.find(ReviewKeys.SECRET));
      problem = "";
    } catch (KubeFailure failure) {
      failed(failure);
    } catch (IllegalArgumentException unreadable) {
      report(
          "%s cannot be understood: %s; put back what was there, or delete it to have it made again"
              .formatted(where, unreadable.getMessage()));
    } catch (RuntimeException unforeseen) {
      report(where + " could not be read: " + unforeseen.getClass().getSimpleName());
      LOG.debug("Reconciling the signing keys failed", unforeseen);
    }
    return !signing.equals(before);
  }

  private void reconcile(Optional<KubeObject> secret) {
    Optional<ReviewKeys> held = secret.map(ReviewKeys::read);
    Optional<Rollout> before = last;
    last = held.flatMap(this::rollout);
    held.ifPresentOrElse(this::use, () -> summary = where + " is not there yet");
    ReviewKeys wanted =
        held.map(keys -> exempting(keys, before, last))
            .orElseGet(() ->
                new ReviewKeys(SigningKey.generate(), Optional.empty(), new Unsigned.Accepted()));
    if (held.filter(wanted::equals).isPresent() || !leads.getAsBoolean()) {
      return;
    }
    secrets.write(ReviewKeys.SECRET, "Opaque", wanted.data(), secret);
    use(wanted);
    LOG.info("Wrote {}: {}", where, summary);
  }

  /**
   * Unsigned reviews are refused once two consecutive checks agree on who is not signed: the
   * configurations have then reached all API servers, and what can be written is written.
   */
  private static ReviewKeys exempting(
      ReviewKeys keys, Optional<Rollout> before, Optional<Rollout> now) {
    return now.map(Rollout::unsigned)
        .filter(unsigned -> before.map(Rollout::unsigned).filter(unsigned::equals).isPresent())
        .map(unsigned -> new ReviewKeys(keys.current(), keys.old(), new Unsigned.Refused(unsigned)))
        .orElse(keys);
  }

  private Optional<Rollout> rollout(ReviewKeys keys) {
    Optional<SortedSet<LogicalCluster>> remaining = unsigned.without(keys.current()::segment);
    Optional<SortedSet<LogicalCluster>> withoutOld =
        keys.old().isEmpty() ? remaining : unsigned.without(keys.old().get()::segment);
    if (remaining.isEmpty() || withoutOld.isEmpty()) {
      return Optional.empty();
    }
    var neither = new TreeSet<>(remaining.get());
    neither.retainAll(withoutOld.get());
    var byOld = new TreeSet<>(remaining.get());
    byOld.removeAll(neither);
    return Optional.of(new Rollout(neither, byOld));
  }

  private void use(ReviewKeys keys) {
    signing = Optional.of(keys.current());
    summary = "URLs are signed with " + keys.current() + old(keys) + unsigned(keys);
  }

  private String old(ReviewKeys keys) {
    if (keys.old().isEmpty() || last.isEmpty()) {
      return "";
    }
    SortedSet<LogicalCluster> byOld = last.get().signedByOld();
    return byOld.isEmpty()
        ? "; none is signed with the old " + keys.old().get() + ", which can be removed"
        : "; still signed with the old " + keys.old().get() + ": " + names(byOld);
  }

  private static String unsigned(ReviewKeys keys) {
    return switch (keys.unsigned()) {
      case Unsigned.Accepted() -> "; unsigned reviews are accepted until all are signed";
      case Unsigned.Refused(var except) when except.isEmpty() -> "; unsigned reviews are refused";
      case Unsigned.Refused(var except) ->
          "; unsigned reviews are refused but of these providers, whose webhook configuration"
              + " could not be signed: "
              + names(except);
    };
  }

  private static String names(Collection<LogicalCluster> providers) {
    return providers.stream().map(LogicalCluster::name).collect(Collectors.joining(", "));
  }

  private void failed(KubeFailure failure) {
    if (failure.isConflict()) {
      LOG.debug("Another writer changed the signing keys");
    } else if (failure.kind() == KubeFailure.Kind.FORBIDDEN) {
      report(
          ("%s cannot be read or written, so reviews need no signature yet: %s; let the controller's"
                  + " user create, get and update it, as rbac-dependency-workspace.yaml does")
              .formatted(where, failure.getMessage()));
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
