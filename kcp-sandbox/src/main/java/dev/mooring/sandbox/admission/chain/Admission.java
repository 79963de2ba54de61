package dev.mooring.sandbox.admission.chain;

import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionResult;
import dev.mooring.sandbox.admission.AdmissionSurroundings;
import dev.mooring.sandbox.admission.EscalationCheck;
import dev.mooring.sandbox.admission.policy.PolicyAdmission;
import dev.mooring.sandbox.admission.webhook.WebhookAdmission;
import dev.mooring.sandbox.api.ResourceCatalog;
import dev.mooring.sandbox.bound.BoundResources;
import dev.mooring.sandbox.security.Authorizer;
import dev.mooring.sandbox.security.RbacPolicies;
import dev.mooring.sandbox.storage.ResourceStore;
import java.util.function.Supplier;

/** Admission as both kcp and Kubernetes do it: escalation, policies, webhooks, in this order. */
public final class Admission implements AdmissionChain, AutoCloseable {
  private final WebhookAdmission webhooks;
  private final PolicyAdmission policies;
  private final AdmissionChain first;

  /**
   * @param catalog what logical clusters serve, for equivalent versions
   * @param ids a new UUID each time
   */
  public Admission(
      ResourceStore store,
      ResourceCatalog catalog,
      BoundResources bound,
      RbacPolicies rbac,
      Authorizer authorizer,
      WebhookAdmission.JsonPatcher patcher,
      Supplier<String> ids) {
    var surroundings = new AdmissionSurroundings(store, catalog, bound);
    this.webhooks = new WebhookAdmission(store, surroundings, patcher, ids);
    this.policies = new PolicyAdmission(webhooks, store, surroundings);
    this.first = new EscalationCheck(policies, rbac, authorizer);
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
