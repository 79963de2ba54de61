package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.admission.BypassAuditor;
import dev.mooring.depwebhook.admission.BypassChecker;
import dev.mooring.depwebhook.admission.FactGatherer;
import dev.mooring.depwebhook.admission.NotificationReviews;
import dev.mooring.depwebhook.admission.ReviewHandler;
import dev.mooring.depwebhook.admission.ReviewLimiter;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.index.IndexLimits;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.LookupListener;
import dev.mooring.depwebhook.lookup.MessageRedactor;
import dev.mooring.depwebhook.lookup.TargetReader;
import dev.mooring.depwebhook.race.RaceMetrics;
import dev.mooring.depwebhook.race.RaceProtection;
import dev.mooring.depwebhook.race.ReferenceCheck;
import dev.mooring.depwebhook.reading.JoinedReads;
import dev.mooring.depwebhook.reading.RetryAfterReader;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.signature.SignatureCheck;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.spring.CertificateWatch;
import dev.mooring.runtime.spring.ExportWorkspace;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.Pause;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires the webhook's features. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebhookProperties.class)
@Import({
  BypassAuditor.class,
  NotificationReviews.class,
  RaceMetrics.class,
  ReferenceCheck.class,
  ReviewHandler.class,
  TargetReader.class
})
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

  @Bean
  Pause pause() {
    return SystemTime.pause();
  }

  @Bean(destroyMethod = "close")
  KubeConnection kcp(WebhookProperties properties) {
    return ExportWorkspace.connect(
        "dependency-webhook",
        properties.kubeconfig(),
        properties.requestTimeout(),
        properties.apiExportName());
  }

  @Bean
  Workspaces<KubeClient> workspaces(KubeConnection kcp) {
    return kcp::client;
  }

  /** No client repeats a review that fails because of one read. */
  @Bean
  Workspaces<KubeReader> patientWorkspaces(KubeConnection kcp) {
    return cluster -> patient(kcp.client(cluster));
  }

  @Bean(destroyMethod = "close")
  RuleStore ruleStore(KubeConnection kcp, WebhookProperties properties) {
    return new RuleStore(
            kcp,
            properties.apiExportName(),
            properties.rulesMaxStaleness(),
            EndpointOverrides.of(properties.endpointHostOverride()),
            SystemTime.steadyClock())
        .start(SystemTime.scheduler());
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
      Workspaces<KubeReader> patientWorkspaces,
      RaceMetrics metrics,
      DependentLookup lookup) {
    return RaceProtection.start(
        kcp.client(),
        properties.raceRegisterNamespace(),
        patientWorkspaces,
        properties.index().maxStaleness(),
        new RaceProtection.Machine(
            clocks, SystemTime.scheduler(), SystemTime.random(), SystemTime.pause(), Ids.random()),
        metrics,
        lookup);
  }

  @Bean
  DependentLookup lookup(
      Workspaces<KubeClient> workspaces,
      Workspaces<KubeReader> patientWorkspaces,
      JoinedReads reads,
      ReferenceIndexes indexes,
      LookupListener listener) {
    return new DependentLookup(
        joined(reads, patientWorkspaces),
        indexes,
        new MessageRedactor(workspaces),
        SystemTime.steadyClock(),
        listener);
  }

  @Bean
  EligibilityChecker checker(
      KubeConnection kcp,
      Workspaces<KubeReader> patientWorkspaces,
      JoinedReads reads,
      ProviderPaths paths,
      WebhookProperties properties) {
    return new EligibilityChecker(
        joined(reads, patientWorkspaces),
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

  @Bean(destroyMethod = "close")
  EventRecorder events() {
    String pod = System.getenv().getOrDefault("HOSTNAME", "");
    return EventRecorder.start("mooring-dependency-webhook", pod);
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

  private static Workspaces<KubeReader> joined(
      JoinedReads reads, Workspaces<KubeReader> workspaces) {
    return cluster -> reads.of(cluster, workspaces.in(cluster));
  }

  private static KubeReader patient(KubeReader direct) {
    return new RetryAfterReader(direct, SystemTime.pause());
  }

  @Bean
  @ConditionalOnProperty(name = "mooring.dependency-webhook.endpoint-auth", matchIfMissing = true)
  AccessReviewer endpointCallers(KubeConnection kcp) {
    return new AccessReviewer(kcp.client(), SystemTime.steadyClock());
  }

  @Bean
  CertificateWatch servingCertificate(MountedCertificate certificate) {
    return new CertificateWatch("webhook-serving", certificate::served);
  }

  @Bean
  CertificateWatch kcpClientCertificate(KubeConnection kcp) {
    return new CertificateWatch("kcp-client", kcp::clientCertificate);
  }
}
