package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.admission.BypassAuditor;
import dev.mooring.depwebhook.admission.BypassChecker;
import dev.mooring.depwebhook.admission.DecisionListener;
import dev.mooring.depwebhook.admission.FactGatherer;
import dev.mooring.depwebhook.admission.NotificationReviews;
import dev.mooring.depwebhook.admission.ReferenceGate;
import dev.mooring.depwebhook.admission.ReviewHandler;
import dev.mooring.depwebhook.admission.ReviewLimiter;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.index.IndexLimits;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.LookupListener;
import dev.mooring.depwebhook.lookup.MessageRedactor;
import dev.mooring.depwebhook.lookup.TargetReader;
import dev.mooring.depwebhook.race.RaceListener;
import dev.mooring.depwebhook.race.RaceProtection;
import dev.mooring.depwebhook.race.ReferenceCheck;
import dev.mooring.depwebhook.reading.JoinedReads;
import dev.mooring.depwebhook.reading.RetryAfterReader;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.signature.SignatureCheck;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.spring.CertificateWatch;
import dev.mooring.runtime.spring.ExportWorkspace;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Wires the webhook's features. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebhookProperties.class)
class WebhookConfiguration {
  private static final Duration READS_INTERVAL = Duration.ofMillis(15);

  @Bean
  Clocks clocks() {
    return SystemTime.clocks();
  }

  @Bean
  Scheduler scheduler() {
    return SystemTime.scheduler();
  }

  @Bean(destroyMethod = "close")
  KubeConnection kcp(WebhookProperties properties) {
    return ExportWorkspace.connect(
        "dependency-webhook",
        properties.kubeconfig(),
        properties.requestTimeout(),
        properties.apiExportName());
  }

  @Bean(destroyMethod = "close")
  RuleStore ruleStore(KubeConnection kcp, WebhookProperties properties) {
    RuleStore rules =
        new RuleStore(
                kcp,
                properties.apiExportName(),
                properties.rulesMaxStaleness(),
                EndpointOverrides.of(properties.endpointHostOverride()),
                SystemTime.steadyClock())
            .start();
    rules.keepFresh(SystemTime.scheduler());
    return rules;
  }

  @Bean
  ProviderPaths providerPaths(KubeConnection kcp) {
    return new ProviderPaths(kcp::client);
  }

  @Bean(destroyMethod = "close")
  ReferenceIndexes indexes(KubeConnection kcp, WebhookProperties properties) {
    return ReferenceIndexes.start(
        kcp::client, limits(properties.index()), SystemTime.steadyClock(), SystemTime.scheduler());
  }

  private static IndexLimits limits(WebhookProperties.Index index) {
    return new IndexLimits(
        index.maxStaleness(),
        index.idleMax(),
        index.indexesMax(),
        index.objectsMax(),
        index.totalObjectsMax());
  }

  /**
   * Many deletions that are refused at once read the same few objects. Without a rest those reads
   * alone would keep kcp busy, whose processors the deletions need. Deletions that are refused one
   * after the other do not wait.
   */
  @Bean
  JoinedReads joinedReads() {
    return new JoinedReads(READS_INTERVAL, SystemTime.steadyClock(), SystemTime.scheduler());
  }

  @Bean(destroyMethod = "close")
  RaceProtection raceProtection(
      KubeConnection kcp,
      WebhookProperties properties,
      Clocks clocks,
      RaceListener listener,
      DependentLookup lookup) {
    return RaceProtection.start(
        kcp.client(),
        properties.raceRegisterNamespace(),
        cluster -> patient(kcp.client(cluster)),
        properties.index().maxStaleness(),
        new RaceProtection.Machine(
            clocks, SystemTime.scheduler(), SystemTime.random(), SystemTime.pause(), Ids.random()),
        listener,
        lookup);
  }

  @Bean
  ReferenceCheck referenceCheck(RuleStore rules, RaceProtection race, EligibilityChecker checker) {
    return new ReferenceCheck(rules, race, checker);
  }

  @Bean
  DependentLookup lookup(
      KubeConnection kcp, JoinedReads reads, ReferenceIndexes indexes, LookupListener listener) {
    return new DependentLookup(
        joined(kcp, reads),
        indexes,
        new MessageRedactor(kcp::client),
        SystemTime.steadyClock(),
        listener);
  }

  @Bean
  EligibilityChecker checker(
      KubeConnection kcp, JoinedReads reads, ProviderPaths paths, WebhookProperties properties) {
    return new EligibilityChecker(
        joined(kcp, reads),
        export -> reads.of(export.path(), patient(kcp.client(export.path()))),
        paths,
        properties.apiExportName(),
        properties.eligibilityAgeMax(),
        SystemTime.steadyClock());
  }

  @Bean
  FactGatherer factGatherer(
      KubeConnection kcp,
      RuleStore rules,
      ProviderPaths paths,
      RaceProtection race,
      EligibilityChecker checker) {
    return new FactGatherer(
        rules,
        paths,
        race,
        checker,
        new BypassChecker(
            protection -> kcp.client(protection.dependency().export().path()),
            kcp::client,
            SystemTime.clock()),
        SystemTime.clock());
  }

  @Bean
  TargetReader targetReader(KubeConnection kcp) {
    return new TargetReader(cluster -> patient(kcp.client(cluster)));
  }

  @Bean(destroyMethod = "close")
  EventRecorder events() {
    return EventRecorder.start("mooring-dependency-webhook", hostName());
  }

  @Bean
  BypassAuditor bypassAuditor(EventRecorder events, KubeConnection kcp) {
    return new BypassAuditor(events, kcp::client);
  }

  @Bean
  ReviewHandler reviewHandler(
      FactGatherer facts, ReferenceGate references, List<DecisionListener> listeners) {
    return new ReviewHandler(facts, references, all(listeners));
  }

  @Bean
  NotificationReviews notificationReviews(FactGatherer facts, List<DecisionListener> listeners) {
    return new NotificationReviews(facts, all(listeners), SystemTime.scheduler());
  }

  private static DecisionListener all(List<DecisionListener> listeners) {
    return (review, checked) -> listeners.forEach(listener -> listener.decided(review, checked));
  }

  @Bean(destroyMethod = "close")
  SignatureCheck signatureCheck(KubeConnection kcp, WebhookProperties properties) {
    return new SignatureCheck(
            kcp.client(),
            properties.certificateNamespace(),
            SystemTime.steadyClock(),
            SystemTime.pause())
        .start(SystemTime.scheduler());
  }

  @Bean
  ReviewLimiter reviewLimiter(
      ReviewHandler handler, NotificationReviews notifications, WebhookProperties properties) {
    return new ReviewLimiter(
        handler,
        notifications,
        SystemTime.steadyClock(),
        Math.toIntExact(properties.reviewSizeMax().toBytes()),
        Runtime.getRuntime().maxMemory());
  }

  private static Workspaces<KubeReader> joined(KubeConnection kcp, JoinedReads reads) {
    return cluster -> reads.of(cluster, patient(kcp.client(cluster)));
  }

  /** No client repeats a review that fails because of one read. */
  static KubeReader patient(KubeReader direct) {
    return new RetryAfterReader(direct, SystemTime.pause());
  }

  private static String hostName() {
    String pod = System.getenv("HOSTNAME");
    return pod == null ? "" : pod;
  }

  @Bean
  @ConditionalOnProperty(name = "mooring.dependency-webhook.endpoint-auth", matchIfMissing = true)
  AccessReviewer endpointCallers(KubeConnection kcp) {
    return new AccessReviewer(kcp.client(), SystemTime.steadyClock());
  }

  @Bean
  MountedCertificate mountedCertificate(DefaultSslBundleRegistry bundles) {
    return new MountedCertificate(bundles);
  }

  @Bean
  CertificateWatch servingCertificate(MountedCertificate certificate) {
    return new CertificateWatch("webhook-serving", certificate::served);
  }

  @Bean
  CertificateWatch kcpClientCertificate(KubeConnection kcp) {
    return new CertificateWatch("kcp-client", kcp::clientCertificate);
  }

  @EventListener
  void updatesCertificate(ApplicationStartedEvent started) {
    started.getApplicationContext().getBean(MountedCertificate.class).update();
  }
}
