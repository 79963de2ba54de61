package dev.mooring.cli.why.decide;

import java.util.Map;

/**
 * What to do about the reasons that the sync agent reports on objects, addressed to the consumer. A
 * test holds it to docs/reference/conditions-and-events.md.
 */
final class Remedies {
  private static final String OTHERWISE = "do what the message says; the agent retries by itself";

  static final Map<String, String> BY_REASON =
      Map.ofEntries(
          Map.entry(
              "NameCollision",
              "rename this object, or have the provider remove the other one or choose another"
                  + " spec.synchronization.adoption"),
          Map.entry(
              "NamingFailed",
              "give this object a name that fits, have the provider correct spec.naming of the"
                  + " PublishedResource, or accept the claim for logicalclusters"),
          Map.entry(
              "ClaimRejected", "accept the claim that the message names in spec.permissionClaims"),
          Map.entry(
              "ClaimNarrowed",
              "add the labels to the object, or accept the claim with matchAll: true"),
          Map.entry(
              "MutationFailed", "correct this object, or have the provider correct spec.mutation"),
          Map.entry(
              "SeveralCopies",
              "have the provider remove all copies but one on the service cluster, or their labels"
                  + " syncagent.kcp.io/remote-object-…"),
          Map.entry("StateTooLarge", "make the object smaller"),
          Map.entry(
              "OutOfFilter",
              "give the object, or its Namespace, the labels that spec.filter asks for"),
          Map.entry(
              "Paused",
              "remove the annotation syncagent.kcp.io/paused, or have the provider"
                  + " remove spec.synchronization.paused"),
          Map.entry(
              "ReconcilingError",
              "correct in this object what the server names; the agent retries at once"),
          Map.entry("RelatedAmbiguous", "have the provider change rewrite of the related entry"),
          Map.entry(
              "RelatedUnequalLists",
              "have the provider correct the reference of the related entry: it gives different"
                  + " numbers of values on the two sides"),
          Map.entry(
              "RelatedUnresolvable",
              "have the provider correct the template, selector or reference that the message"
                  + " names"),
          Map.entry(
              "RelatedTooMany",
              "have the provider narrow the related entry: it matches more than 1,000 objects"),
          Map.entry(
              "StatusSubresourceMissing",
              "have the provider give the copy's type a status subresource, or remove syncStatus"),
          Map.entry("RelatedNameInvalid", "correct the name in this object that the message names"),
          Map.entry(
              "RelatedNamespaceMissing",
              "have the provider add object.namespace to the related entry"),
          Map.entry(
              "NamespaceTerminating",
              "wait until the Namespace of the copy is gone on the service cluster"),
          Map.entry(
              "CopyTerminating",
              "have the provider look at the finalizers of the copy on the service cluster"),
          Map.entry(
              "NameTerminating",
              "wait until the object that has the copy's name is gone on the service cluster"),
          Map.entry(
              "NamespaceNotSeen", "accept the claim for namespaces in spec.permissionClaims"));

  private Remedies() {}

  static String of(String reason) {
    return BY_REASON.getOrDefault(reason, OTHERWISE);
  }
}
