package dev.mooring.cli.why.decide;

import static dev.mooring.cli.why.decide.Subject.BINDING;
import static dev.mooring.cli.why.decide.Subject.OBJECT;
import static dev.mooring.cli.why.decide.Subject.PUBLISHED;
import static dev.mooring.cli.why.decide.Subject.SERVICE_CLUSTER;

import java.util.Map;

/**
 * What to do about the reasons that the sync agent reports on objects. A test holds it to
 * docs/reference/conditions-and-events.md.
 */
final class Remedies {
  /**
   * @param subject that has to change
   */
  record Advice(Subject subject, String fix) {}

  private static final Advice OTHERWISE =
      new Advice(PUBLISHED, "do what the message says; the agent retries by itself");

  static final Map<String, Advice> BY_REASON =
      Map.ofEntries(
          entry(
              "NameCollision",
              SERVICE_CLUSTER,
              "if it is the copy of another object, make spec.naming give each a name "
                  + "of its own; else remove it, choose another "
                  + "spec.synchronization.adoption, or have the consumer rename this object"),
          entry(
              "NamingFailed",
              PUBLISHED,
              "correct spec.naming of the PublishedResource; or the consumer gives this "
                  + "object a name that fits, or accepts the claim for logicalclusters"),
          entry(
              "ClaimRejected",
              BINDING,
              "accept the claim that the message names in spec.permissionClaims"),
          entry(
              "ClaimNarrowed",
              BINDING,
              "add the labels to the object, or accept the claim with matchAll: true"),
          entry(
              "MutationFailed",
              PUBLISHED,
              "correct the rule of spec.mutation that the message names; or the "
                  + "consumer corrects this object"),
          entry(
              "SeveralCopies",
              SERVICE_CLUSTER,
              "remove all copies but one on the service cluster, or their labels "
                  + "syncagent.kcp.io/remote-object-…"),
          entry("StateTooLarge", OBJECT, "make the object smaller"),
          entry(
              "OutOfFilter",
              OBJECT,
              "give the object, or its Namespace, the labels that spec.filter asks for"),
          entry(
              "Paused",
              PUBLISHED,
              "remove the annotation syncagent.kcp.io/paused, or " + "spec.synchronization.paused"),
          entry("ReconcilingError", OBJECT, "correct in this object what the server names"),
          entry("RelatedAmbiguous", PUBLISHED, "change rewrite of the related entry"),
          entry(
              "RelatedUnequalLists",
              PUBLISHED,
              "correct the reference of the related entry: it gives different numbers "
                  + "of values on the two sides"),
          entry(
              "RelatedUnresolvable",
              PUBLISHED,
              "correct the template, selector or reference that the message names"),
          entry(
              "UnknownPath",
              PUBLISHED,
              "correct the path of the related entry; condition PathsInSchema names it"),
          entry(
              "RelatedTooMany",
              PUBLISHED,
              "narrow the related entry: it matches more than 1,000 objects"),
          entry(
              "StatusSubresourceMissing",
              SERVICE_CLUSTER,
              "give the copy's type a status subresource, or remove syncStatus"),
          entry(
              "RelatedNameInvalid",
              OBJECT,
              "correct the name in this object that the message names"),
          entry(
              "SecretTypeRefused",
              PUBLISHED,
              "name a Secret of another type than kubernetes.io/service-account-token "
                  + "in the related entry"),
          entry(
              "CopyKeepsChanging",
              SERVICE_CLUSTER,
              "find out what deletes or rewrites the copy, and stop it"),
          entry("RelatedNamespaceMissing", PUBLISHED, "add object.namespace to the related entry"),
          entry("NamespaceTerminating", SERVICE_CLUSTER, "remove what holds the Namespace"),
          entry(
              "CopyTerminating",
              SERVICE_CLUSTER,
              "remove what the finalizers of the copy wait for"),
          entry(
              "NameTerminating",
              SERVICE_CLUSTER,
              "remove what holds the object of the copy's name, which is being deleted"),
          entry(
              "NamespaceNotSeen",
              BINDING,
              "accept the claim for namespaces in spec.permissionClaims"));

  private Remedies() {}

  private static Map.Entry<String, Advice> entry(String reason, Subject subject, String fix) {
    return Map.entry(reason, new Advice(subject, fix));
  }

  static Advice of(String reason) {
    return BY_REASON.getOrDefault(reason, OTHERWISE);
  }
}
