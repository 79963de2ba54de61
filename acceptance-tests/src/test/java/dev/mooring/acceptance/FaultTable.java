package dev.mooring.acceptance;

import java.util.List;

/**
 * The table of docs/how-to/find-causes.md: made, asked about and healed by {@link FaultTableIT}.
 */
public final class FaultTable {
  private static final String AGENT =
      "provider / sync agent of the provider of"
          + " root:org:certificates:certificates.example.corp";
  private static final String ITS_PUBLISHED =
      "provider / PublishedResource of the provider of"
          + " root:org:certificates:certificates.example.corp";
  private static final String PUBLISHED =
      "provider / PublishedResource certificates on the service cluster";
  private static final String RULE =
      "provider / DependencyRule virtual-machines in root:org:compute";
  private static final String UNREAD =
      "NotProtected / provider / DependencyRule of the provider of"
          + " root:org:compute:compute.example.corp";

  static final List<Fault> ALL =
      List.of(
          Fault.of(
              "syncing is paused for the object",
              "certificate paused",
              "Paused / consumer / Certificate default/paused"),
          Fault.of(
              "the PublishedResource pauses syncing",
              "certificate type-paused",
              "Paused / " + ITS_PUBLISHED,
              "Paused / " + PUBLISHED),
          Fault.of(
              "the filter does not select the object",
              "certificate filtered",
              "NotTaken / " + AGENT,
              "OutOfFilter / consumer / Certificate default/filtered"),
          Fault.of(
              "the filter does not select the Namespace",
              "certificate ns-filtered",
              "NotTaken / " + AGENT,
              "OutOfFilter / consumer / Certificate default/ns-filtered"),
          Fault.of(
              "the PublishedResource disables syncing",
              "certificate disabled",
              "NotTaken / " + AGENT,
              "Disabled / " + PUBLISHED),
          Fault.of(
              "the copy's name is too long",
              "certificate long",
              "NamingFailed / " + ITS_PUBLISHED,
              "NamingFailed / " + PUBLISHED),
          Fault.of(
              "a template of the PublishedResource is invalid",
              "certificate lowr",
              "NotTaken / " + AGENT,
              "InvalidTemplate / " + PUBLISHED),
          Fault.of(
              "a related entry looks in a field that no object has",
              "certificate misnamed",
              "UnknownPath / " + ITS_PUBLISHED,
              "UnknownPath / " + PUBLISHED),
          Fault.of(
              "the template of a related entry fails",
              "certificate unresolvable",
              "RelatedUnresolvable / " + ITS_PUBLISHED,
              "RelatedUnresolvable / " + PUBLISHED),
          Fault.of(
              "a mutation renders no value",
              "certificate no-value",
              "MutationRefused / " + ITS_PUBLISHED,
              "MutationRefused / " + PUBLISHED),
          Fault.of(
              "a mutation deletes a required field",
              "certificate deleted",
              "MutationRefused / " + ITS_PUBLISHED,
              "MutationRefused / " + PUBLISHED),
          Fault.of(
              "a mutation in CEL has no result",
              "certificate cel",
              "MutationFailed / " + ITS_PUBLISHED,
              "MutationFailed / " + PUBLISHED),
          Fault.of(
              "a ResourceQuota of the service cluster is used up",
              "certificate quota",
              "QuotaExceeded / provider / ResourceQuota small of the service cluster",
              "QuotaExceeded / provider / ResourceQuota small in namespace CLUSTER of the service"
                  + " cluster"),
          Fault.of(
              "the service cluster's policy denies the copy",
              "certificate policy",
              "AdmissionDenied / consumer / Certificate default/policy"),
          Fault.of(
              "the agent may not create copies",
              "certificate forbidden",
              "PermissionMissing / provider / ClusterRole of the sync agent of the service cluster",
              "PermissionMissing / provider / ClusterRole of the sync agent in namespace CLUSTER of"
                  + " the service cluster"),
          Fault.of(
              "the APIBinding does not accept a claim",
              "certificate claim",
              "ClaimRejected / consumer / APIBinding certificates.example.corp"),
          Fault.of(
              "a finalizer holds the copy of a deleted object",
              "certificate vault",
              "CopyTerminating / provider / service cluster of the provider of"
                  + " root:org:certificates:certificates.example.corp",
              "CopyTerminating / provider / Certificate CLUSTER/COPY on the service cluster"),
          Fault.of(
              "a finalizer of the consumer holds the object",
              "certificate held",
              "HeldByFinalizer / consumer / Certificate default/held"),
          Fault.of(
              "the PublishedResource was deleted",
              "certificate unpublished",
              "NotTaken / " + AGENT,
              "NotPublished / provider / service cluster of the provider of"
                  + " root:org:certificates:certificates.example.corp"),
          Fault.of(
              "the agent is stopped, and the object is new",
              "certificate stopped",
              "NotTaken / " + AGENT,
              "AgentStopped / " + AGENT),
          Fault.of(
              "the agent is stopped, and the object changes",
              "certificate unseen-change",
              "ChangeNotSeen / " + AGENT,
              "AgentStopped / " + AGENT),
          Fault.of(
              "a dependent refers to the object",
              "vpc referred --deletion",
              "Referenced / consumer / the objects that refer to it"),
          Fault.of(
              "an annotation bypasses the rule",
              "vpc bypassed --deletion",
              "Bypassed / consumer / VPC default/bypassed"),
          Fault.of(
              "the dependency webhook does not run",
              "vpc unanswered --deletion",
              "WebhookUnavailable / platform / dependency webhook"),
          Fault.of(
              "the webhook may not read the rule's dependents",
              "vpc unreadable --deletion",
              "NotEvaluated / platform / dependency webhook",
              "WebhookMayNotRead / platform / ClusterRole dependency-webhook in system:admin of"
                  + " every shard"),
          Fault.of(
              "the rule reads another field",
              "vpc other-field --deletion",
              UNREAD,
              "RuleFindsNothing / " + RULE),
          Fault.of(
              "the rule's own export does not exist",
              "vpc own-export --deletion",
              UNREAD,
              "RuleNotInForce / " + RULE),
          Fault.of(
              "the rule names a resource that the target's export lacks",
              "vpc resource --deletion",
              UNREAD,
              "RuleNotInForce / " + RULE),
          Fault.of(
              "the rule names a workspace that does not bind the rules' API",
              "vpc path --deletion",
              UNREAD,
              "RuleNotInForce / provider / APIBinding to dependencies.opendefense.cloud in the"
                  + " workspace that the condition names"),
          Fault.of(
              "another policy refuses the deletion",
              "vpc kept --deletion",
              "RefusedByOther / consumer / VPC default/kept"),
          Fault.of(
              "the rule names a version that is not served",
              "vpc version --deletion",
              "NotEvaluated / platform / dependency webhook",
              "RuleNotInForce / " + RULE),
          Fault.of(
              "the controller is stopped, and a rule changes",
              "vpc unread-rule --deletion",
              UNREAD,
              "RuleNotInForce / platform / dependency controller"),
          Fault.of(
              "a finalizer holds an object of a type that is not synced",
              "vpc stuck",
              "HeldByFinalizer / consumer / VPC default/stuck"),
          Fault.of(
              "the CustomResourceDefinition was deleted",
              "certificate undefined",
              "NotTaken / " + AGENT,
              "ResourceNotFound / provider / CustomResourceDefinition of kind Certificate on the"
                  + " service cluster"),
          Fault.of(
              "the Namespace of the copy is being deleted",
              "certificate leaving-namespace",
              "NamespaceTerminating / provider / Namespace leaving of the service cluster"),
          Fault.of(
              "spec.naming gives two objects one name",
              "certificate second-of-one-name",
              "NameCollision / provider / service cluster of the provider of"
                  + " root:org:certificates:certificates.example.corp"),
          Fault.of(
              "a policy of the consumer's workspace denies the related Secret",
              "certificate own-policy",
              "AdmissionDenied / consumer / policy or webhook fault of the consumer's workspace"),
          Fault.of(
              "a finalizer holds the dependent, which is being deleted",
              "vpc left --deletion",
              "Referenced / consumer / VirtualMachine default/left-user"));

  private FaultTable() {}

  /** Of the page's table. */
  public static List<String> rows() {
    return ALL.stream()
        .map(fault ->
            "| %s | %s | %s |"
                .formatted(fault.title(), fault.consumer().cell(), fault.provider().cell()))
        .toList();
  }
}
