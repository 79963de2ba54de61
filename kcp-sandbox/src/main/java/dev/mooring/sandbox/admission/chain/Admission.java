package dev.mooring.sandbox.admission.chain;

import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionResult;
import dev.mooring.sandbox.admission.AdmissionSurroundings;
import dev.mooring.sandbox.admission.EscalationCheck;
import dev.mooring.sandbox.admission.ServiceAccountSecrets;
import dev.mooring.sandbox.admission.policy.PolicyAdmission;
import dev.mooring.sandbox.admission.webhook.WebhookAdmission;
import dev.mooring.sandbox.api.ResourceCatalog;
import dev.mooring.sandbox.security.review.Security;
import dev.mooring.sandbox.storage.ResourceStore;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Admission as both kcp and Kubernetes do it: escalation, the tokens of service accounts, policies,
 * webhooks, in this order.
 */
public final class Admission implements AdmissionChain, AutoCloseable {
  private final WebhookAdmission webhooks;
  private final PolicyAdmission policies;
  private final AdmissionChain first;

  /**
   * @param catalog what logical clusters serve, for equivalent versions
   * @param authorityPem of the server, for the Secrets of service accounts
   * @param ids a new UUID each time
   */
  public Admission(
      ResourceStore store,
      ResourceCatalog catalog,
      Security security,
      String authorityPem,
      WebhookAdmission.JsonPatcher patcher,
      Supplier<String> ids,
      InstantSource clock) {
    var surroundings = new AdmissionSurroundings(store, catalog, security.bound());
    this.webhooks = new WebhookAdmission(store, surroundings, patcher, ids);
    this.policies = new PolicyAdmission(webhooks, store, surroundings);
    var secrets =
        new ServiceAccountSecrets(policies, store, security.tokens(), authorityPem, clock);
    this.first = new EscalationCheck(secrets, security.policies(), security.authorizer());
  }

  @Override
  public AdmissionResult mutate(AdmissionRequest request) {
    return first.mutate(request);
  }

  @Override
  public AdmissionResult validate(AdmissionRequest request) {
    return first.validate(request);
  }

  @Override
  public void close() {
    policies.close();
    webhooks.close();
  }
}
