package dev.mooring.runtime.access;

import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reviews at start and regularly whether a service's user has the rights that the service needs:
 * its own, without which it does nothing, those at each provider, without which it does nothing for
 * that one, and those without which it does less. A workspace that cannot be asked lacks nothing,
 * and a right is missing once two reviews in a row have missed it: a kcp shard that starts refuses
 * everything for 20 s. Thread-safe.
 */
public final class RightsMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RightsMonitor.class);

  /** Providers, and features, reviewed at a time; the others are not reviewed. */
  static final int PROVIDERS_MAX = 200;

  /** So that many slow answers do not add up. */
  private static final int AT_ONCE = 8;

  /** Between two reviews: a ClusterRoleBinding that was added shows within that time. */
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private final Supplier<Needs> needs;
  private volatile Scheduler.Scheduled reviews = () -> {};
  private volatile Findings findings = new Findings(List.of(), new TreeMap<>(), List.of(), 0);

  /** What the last review missed, confirmed or not. */
  private Set<String> missed = Set.of();

  /**
   * What is needed now.
   *
   * @param byProvider needs by the provider's workspace
   * @param features each of what does not keep the service from doing the rest
   */
  public record Needs(
      List<Need> own, SortedMap<String, List<Need>> byProvider, List<Need> features) {}

  /**
   * What is missing, each a sentence that says what to grant.
   *
   * @param own without which the service does nothing
   * @param byProvider of the providers for which the service does nothing
   * @param features without which the service does less
   * @param providers how many were reviewed
   */
  public record Findings(
      List<String> own,
      SortedMap<String, List<String>> byProvider,
      List<String> features,
      int providers) {
    /** Whether the service can do nothing for any provider. */
    public boolean disableAll() {
      return !own.isEmpty() || (providers > 0 && byProvider.size() == providers);
    }

    /** Every sentence once. */
    public List<String> all() {
      var all = new ArrayList<>(own);
      byProvider.values().forEach(all::addAll);
      all.addAll(features);
      return all.stream().distinct().toList();
    }
  }

  private RightsMonitor(Supplier<Needs> needs) {
    this.needs = needs;
  }

  /**
   * @param needs asked before each review
   */
  public static RightsMonitor start(Supplier<Needs> needs, Scheduler scheduler) {
    var monitor = new RightsMonitor(needs);
    Thread.ofVirtual().name("rights").start(monitor::tryReview);
    monitor.reviews = scheduler.every(PERIOD, "rights", monitor::tryReview);
    return monitor;
  }

  /** Of the last two reviews; nothing is missing before the second. */
  public Findings findings() {
    return findings;
  }

  /** Reviews at once; blocks. */
  public synchronized void review() {
    Needs needed = needs.get();
    List<Need> someFeatures = needed.features().stream().limit(PROVIDERS_MAX).toList();
    var providers = new LinkedHashMap<String, List<Need>>();
    needed.byProvider().entrySet().stream()
        .limit(PROVIDERS_MAX)
        .forEach(provider -> providers.put(provider.getKey(), provider.getValue()));
    var all = new LinkedHashSet<>(needed.own());
    providers.values().forEach(all::addAll);
    all.addAll(someFeatures);
    Map<Need, Optional<String>> answers = ask(all);
    var missing = new HashSet<String>();
    List<String> own = confirmed(needed.own(), answers, missing);
    var byProvider = new TreeMap<String, List<String>>();
    providers.forEach((provider, needs) -> {
      List<String> confirmed = confirmed(needs, answers, missing);
      if (!confirmed.isEmpty()) {
        byProvider.put(provider, confirmed);
      }
    });
    List<String> features = confirmed(someFeatures, answers, missing);
    missed = missing;
    List<String> before = findings.all();
    findings = new Findings(own, byProvider, features, providers.size());
    findings.all().stream()
        .filter(sentence -> !before.contains(sentence))
        .forEach(sentence -> LOG.warn("A right is missing: {}", sentence));
  }

  @Override
  public void close() {
    reviews.cancel();
  }

  private void tryReview() {
    try {
      review();
    } catch (RuntimeException e) {
      LOG.warn("Rights could not be reviewed: {}", e.getMessage());
    }
  }

  /**
   * What the last review has missed as well.
   *
   * @param missing to which all that this review misses is added
   */
  private List<String> confirmed(
      List<Need> needs, Map<Need, Optional<String>> answers, Set<String> missing) {
    List<String> now = needs.stream().map(answers::get).flatMap(Optional::stream).toList();
    missing.addAll(now);
    return now.stream().filter(missed::contains).toList();
  }

  /** Each once: workspaces of one parent need the same there. */
  private static Map<Need, Optional<String>> ask(Set<Need> needs) {
    return needs.stream()
        .gather(Gatherers.mapConcurrent(AT_ONCE, need -> Map.entry(need, missing(need))))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Optional<String> missing(Need need) {
    try {
      return RightsReviewer.missing(need);
    } catch (KubeFailure failure) {
      LOG.debug("Rights in {} could not be reviewed: {}", need.place(), failure.getMessage());
      return Optional.empty();
    }
  }
}
