package dev.mooring.cli.why.decide;

import static java.util.stream.Collectors.toMap;

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
      new Advice(Subject.PUBLISHED, "do what the message says; the agent retries by itself");

  static final Map<String, Advice> BY_REASON =
      """
      NameCollision | SERVICE_CLUSTER | if it is the copy of another object, make spec.naming give \
      each a name of its own; else remove it, choose another spec.synchronization.adoption, or \
      have the consumer rename this object
      NamingFailed | PUBLISHED | correct spec.naming of the PublishedResource; or the consumer \
      gives this object a name that fits, or accepts the claim for logicalclusters
      ClaimRejected | BINDING | accept the claim that the message names in spec.permissionClaims
      ClaimNarrowed | BINDING | add the labels to the object, or accept the claim with matchAll: \
      true
      MutationFailed | PUBLISHED | correct the rule of spec.mutation that the message names; or \
      the consumer corrects this object
      SeveralCopies | SERVICE_CLUSTER | remove all copies but one on the service cluster, or their \
      labels syncagent.kcp.io/remote-object-…
      StateTooLarge | OBJECT | make the object smaller
      OutOfFilter | OBJECT | give the object, or its Namespace, the labels that spec.filter asks \
      for
      Paused | PUBLISHED | remove the annotation syncagent.kcp.io/paused, or \
      spec.synchronization.paused
      ReconcilingError | OBJECT | correct in this object what the server names
      RelatedAmbiguous | PUBLISHED | change rewrite of the related entry
      RelatedUnequalLists | PUBLISHED | correct the reference of the related entry: it gives \
      different numbers of values on the two sides
      RelatedUnresolvable | PUBLISHED | correct the template, selector or reference that the \
      message names
      UnknownPath | PUBLISHED | correct the path of the related entry; condition PathsInSchema \
      names it
      RelatedTooMany | PUBLISHED | narrow the related entry: it matches more than 1,000 objects
      StatusSubresourceMissing | SERVICE_CLUSTER | give the copy's type a status subresource, or \
      remove syncStatus
      RelatedNameInvalid | OBJECT | correct the name in this object that the message names
      SecretTypeRefused | PUBLISHED | name a Secret of another type than \
      kubernetes.io/service-account-token in the related entry
      CopyKeepsChanging | SERVICE_CLUSTER | find out what deletes or rewrites the copy, and stop \
      it
      RelatedNamespaceMissing | PUBLISHED | add object.namespace to the related entry
      NamespaceTerminating | SERVICE_CLUSTER | remove what holds the Namespace
      CopyTerminating | SERVICE_CLUSTER | remove what the finalizers of the copy wait for
      NameTerminating | SERVICE_CLUSTER | remove what holds the object of the copy's name, which \
      is being deleted
      NamespaceNotSeen | BINDING | accept the claim for namespaces in spec.permissionClaims
      """
          .lines()
          .map(line -> line.split(" [|] "))
          .collect(toMap(row -> row[0], row -> new Advice(Subject.valueOf(row[1]), row[2])));

  private Remedies() {}

  static Advice of(String reason) {
    return BY_REASON.getOrDefault(reason, OTHERWISE);
  }
}
