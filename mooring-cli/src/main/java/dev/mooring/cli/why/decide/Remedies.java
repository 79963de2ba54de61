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
          Map.entry(
              "NameCollision",
              new Advice(
                  SERVICE_CLUSTER,
                  "remove the other object of that name, choose another"
                      + " spec.synchronization.adoption, or have the consumer rename this object")),
          Map.entry(
              "NamingFailed",
              new Advice(
                  PUBLISHED,
                  "correct spec.naming of the PublishedResource; or the consumer gives this object"
                      + " a name that fits, or accepts the claim for logicalclusters")),
          Map.entry(
              "ClaimRejected",
              new Advice(
                  BINDING, "accept the claim that the message names in spec.permissionClaims")),
          Map.entry(
              "ClaimNarrowed",
              new Advice(
                  BINDING,
                  "add the labels to the object, or accept the claim with matchAll: true")),
          Map.entry(
              "MutationFailed",
              new Advice(
                  PUBLISHED,
                  "correct the rule of spec.mutation that the message names; or the consumer"
                      + " corrects this object")),
          Map.entry(
              "SeveralCopies",
              new Advice(
                  SERVICE_CLUSTER,
                  "remove all copies but one on the service cluster, or their labels"
                      + " syncagent.kcp.io/remote-object-…")),
          Map.entry("StateTooLarge", new Advice(OBJECT, "make the object smaller")),
          Map.entry(
              "OutOfFilter",
              new Advice(
                  OBJECT,
                  "give the object, or its Namespace, the labels that spec.filter asks for")),
          Map.entry(
              "Paused",
              new Advice(
                  PUBLISHED,
                  "remove the annotation syncagent.kcp.io/paused, or"
                      + " spec.synchronization.paused")),
          Map.entry(
              "ReconcilingError",
              new Advice(OBJECT, "correct in this object what the server names")),
          Map.entry(
              "RelatedAmbiguous", new Advice(PUBLISHED, "change rewrite of the related entry")),
          Map.entry(
              "RelatedUnequalLists",
              new Advice(
                  PUBLISHED,
                  "correct the reference of the related entry: it gives different numbers of"
                      + " values on the two sides")),
          Map.entry(
              "RelatedUnresolvable",
              new Advice(
                  PUBLISHED, "correct the template, selector or reference that the message names")),
          Map.entry(
              "UnknownPath",
              new Advice(
                  PUBLISHED,
                  "correct the path of the related entry; condition PathsInSchema names it")),
          Map.entry(
              "RelatedTooMany",
              new Advice(
                  PUBLISHED, "narrow the related entry: it matches more than 1,000 objects")),
          Map.entry(
              "StatusSubresourceMissing",
              new Advice(
                  SERVICE_CLUSTER,
                  "give the copy's type a status subresource, or remove syncStatus")),
          Map.entry(
              "RelatedNameInvalid",
              new Advice(OBJECT, "correct the name in this object that the message names")),
          Map.entry(
              "SecretTypeRefused",
              new Advice(
                  PUBLISHED,
                  "name a Secret of another type than kubernetes.io/service-account-token in the"
                      + " related entry")),
          Map.entry(
              "CopyKeepsChanging",
              new Advice(
                  SERVICE_CLUSTER, "find out what deletes or rewrites the copy, and stop it")),
          Map.entry(
              "RelatedNamespaceMissing",
              new Advice(PUBLISHED, "add object.namespace to the related entry")),
          Map.entry(
              "NamespaceTerminating",
              new Advice(
                  SERVICE_CLUSTER,
                  "remove what holds the Namespace of the copy, which is being deleted")),
          Map.entry(
              "CopyTerminating",
              new Advice(SERVICE_CLUSTER, "remove what the finalizers of the copy wait for")),
          Map.entry(
              "NameTerminating",
              new Advice(
                  SERVICE_CLUSTER,
                  "remove what holds the object of the copy's name, which is being deleted")),
          Map.entry(
              "NamespaceNotSeen",
              new Advice(BINDING, "accept the claim for namespaces in spec.permissionClaims")));

  private Remedies() {}

  static Advice of(String reason) {
    return BY_REASON.getOrDefault(reason, OTHERWISE);
  }
}
