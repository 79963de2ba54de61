package dev.mooring.cli.why.decide;

import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.Remedy.Who;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says who has to change what so that a server accepts what syncing writes. It reads the messages
 * of Kubernetes' API servers, which the sync agent quotes.
 *
 * @param state of the object
 * @param evidence the line that has {@code said}
 */
record ServerRefusal(SyncFacts facts, State state, String said, String evidence) {
  private static final Pattern QUOTA = Pattern.compile("exceeded quota: ([^,\\s]+)");
  private static final Pattern PERMISSION =
      Pattern.compile(
          "User \"([^\"]+)\" cannot (\\S+) resource \"([^\"]+)\""
              + "(?: in API group \"([^\"]+)\")?");
  private static final Pattern ADMISSION =
      Pattern.compile(
          "(?:admission webhook \"([^\"]+)\" denied|ValidatingAdmissionPolicy '([^']+)'"
              + " .*?denied)");
  private static final Pattern WEBHOOK_DOWN =
      Pattern.compile("failed calling webhook \"([^\"]+)\"");
  private static final Pattern FIELD =
      Pattern.compile(
          "(?:: |\\[|, )((?:spec|metadata|status|data)[^\\s:]*): (Required value|Invalid value:"
              + " (\"[^\"]*\"|\\S+)|Unsupported value: (\"[^\"]*\"|\\S+)|[A-Z][a-z]+)");
  private static final Pattern TERMINATING =
      Pattern.compile("[Nn]amespace \"?([-a-z0-9]+)\"? .*?is being (?:terminated|deleted)");
  private static final Pattern NAMESPACE = Pattern.compile("/namespaces/([^/]+)/");

  /** With a reason that may be more exact than the agent's. */
  Optional<Finding> finding() {
    Matcher quota = QUOTA.matcher(said);
    if (quota.find()) {
      return of("QuotaExceeded", "a ResourceQuota leaves no room for what syncing writes")
          .fixedBy(
              owner(),
              "ResourceQuota " + quota.group(1) + in(),
              "raise the quota, or delete what uses it; the agent retries by itself",
              "kubectl edit resourcequota "
                  + quota.group(1)
                  + (namespace().isEmpty() ? "" : " -n " + namespace()));
    }
    Matcher terminating = TERMINATING.matcher(said);
    if (terminating.find()) {
      return of("NamespaceTerminating", "the Namespace that syncing writes into is being deleted")
          .fixedBy(
              owner(),
              "Namespace %s of the %s".formatted(terminating.group(1), server()),
              "remove what holds the Namespace; the agent then creates it again",
              "kubectl get namespace %s -o yaml".formatted(terminating.group(1)));
    }
    Matcher down = WEBHOOK_DOWN.matcher(said);
    if (down.find()) {
      return of(
              "AdmissionUnavailable",
              "an admission webhook does not answer, so the server refuses what syncing writes")
          .fixedBy(
              owner(),
              "webhook " + down.group(1) + in(),
              "start the server of that webhook; the agent retries by itself",
              "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations");
    }
    Matcher admission = ADMISSION.matcher(said);
    if (admission.find()) {
      return denied(admission.group(1) == null ? admission.group(2) : admission.group(1));
    }
    Matcher permission = PERMISSION.matcher(said);
    if (permission.find()) {
      String group = permission.group(4) == null ? "" : "." + permission.group(4);
      String resource = permission.group(3).replaceFirst("/|$", group + "$0");
      return unpermitted(permission.group(1), permission.group(2), resource);
    }
    if (said.contains("does not serve a type")) {
      return of(
              "TypeNotServed",
              "the %s does not serve a type that syncing needs".formatted(server()))
          .fixedBy(
              owner(),
              "CustomResourceDefinition" + in(),
              "install the CustomResourceDefinition",
              "kubectl get crds");
    }
    if (said.contains("cannot be reached")) {
      return of(
              isWorkspace() ? "KcpUnavailable" : "ServiceClusterUnavailable",
              "the sync agent cannot reach the " + server())
          .fixedBy(
              owner(),
              server(),
              "make the server answer the agent: its URL, its certificate, its webhooks",
              facts.asProvider());
    }
    return content();
  }

  private Finding of(String reason, String message) {
    return state.of(reason, message).shownBy(evidence);
  }

  private Who owner() {
    return isWorkspace() ? Who.consumer : Who.provider;
  }

  private Optional<Finding> denied(String by) {
    Finding denied =
        of("AdmissionDenied", "admission of the %s denies what syncing writes".formatted(server()));
    String type = facts.type().orElseThrow().resource().qualified();
    boolean related = isWorkspace() && !said.contains(type + " \"");
    return related
        ? denied.fixedBy(
            Who.consumer,
            "policy or webhook %s of the consumer's workspace".formatted(by),
            "have it allow the related object that the message names, which the agent writes",
            "kubectl get validatingadmissionpolicies,validatingwebhookconfigurations")
        : denied.fixedBy(
            Subject.OBJECT.remedy(
                facts, "correct in this object what %s names, or ask its owner".formatted(by)));
  }

  private Optional<Finding> unpermitted(String user, String verb, String resource) {
    Finding missing =
        of("PermissionMissing", "the sync agent lacks a permission on the " + server());
    return isWorkspace()
        ? missing.fixedBy(
            Subject.BINDING.remedy(
                facts, "accept verb %s of %s in spec.permissionClaims".formatted(verb, resource)))
        : missing.fixedBy(
            Who.provider,
            "ClusterRole of the sync agent" + in(),
            "grant verb %s on %s to user %s".formatted(verb, resource, user),
            ("kubectl create clusterrole NAME --verb=%s --resource=%s"
                    + " && kubectl create clusterrolebinding NAME --clusterrole=NAME --user=%s")
                .formatted(verb, resource, user));
  }

  /** Of a copy that is not valid: made so by the provider's rules, or by the consumer. */
  private Optional<Finding> content() {
    Matcher refused = FIELD.matcher(said);
    String field = refused.find() ? refused.group(1) : "";
    Optional<String> rule = rule(field);
    String at = field.isEmpty() ? "what the server names" : field;
    if (rule.isPresent() || said.contains("<no value>") || isMutated(refused, field)) {
      return of(
              "MutationRefused",
              "spec.mutation gives the copy a value that the %s refuses: %s"
                  .formatted(server(), at))
          .fixedBy(
              Subject.PUBLISHED.remedy(
                  facts, "correct %s, which sets %s".formatted(rule.orElse("spec.mutation"), at)));
    }
    return field.startsWith("metadata.name")
        ? of(
                "NamingFailed",
                "spec.naming gives the copy a name that the %s refuses".formatted(server()))
            .fixedBy(Subject.PUBLISHED.remedy(facts, "correct spec.naming"))
        : of("ReconcilingError", "the %s refuses the object's content".formatted(server()))
            .fixedBy(Subject.OBJECT.remedy(facts, "correct %s in this object".formatted(at)));
  }

  /** Whether the consumer's object has another value there than the server was sent. */
  private boolean isMutated(Matcher refused, String field) {
    if (!field.startsWith("spec.") || isWorkspace()) {
      return false;
    }
    Object own = at(facts.object().orElseThrow(), field);
    String sent = refused.group(3) == null ? refused.group(4) : refused.group(3);
    if (refused.group(2).equals("Required value")) {
      return own != null;
    }
    return sent != null
        && !(own instanceof Map || own instanceof List)
        && !sent.equals(own instanceof String ? "\"" + own + "\"" : String.valueOf(own));
  }

  private static @Nullable Object at(KubeObject object, String field) {
    return object.at(field.replaceAll("\\[.*", "").split("\\."));
  }

  /** The rule of the PublishedResource that sets the field, as its conditions name rules. */
  private Optional<String> rule(String field) {
    if (field.isEmpty() || facts.publication().isEmpty()) {
      return Optional.empty();
    }
    String path = field.replaceAll("\\[(\\d+)]", ".$1");
    List<Object> rules = facts.publication().get().object().list("spec", "mutation", "spec");
    for (int i = rules.size() - 1; i >= 0; i--) {
      for (String kind : List.of("delete", "regex", "template", "cel")) {
        String at = Trees.text(rules.get(i), kind, "path");
        if (!at.isEmpty() && (path + ".").startsWith(at + ".")) {
          return Optional.of("spec.mutation.spec[%d] (%s at \"%s\")".formatted(i, kind, at));
        }
      }
    }
    return Optional.empty();
  }

  private boolean isWorkspace() {
    return said.startsWith("Your workspace")
        || said.contains("/services/apiexport/")
        || said.contains("/clusters/")
        || said.contains("of the workspace");
  }

  private String server() {
    return isWorkspace() ? "consumer's workspace" : "service cluster";
  }

  private String in() {
    String namespace = namespace();
    return (namespace.isEmpty() ? "" : " in namespace " + namespace) + " of the " + server();
  }

  private String namespace() {
    Matcher named = NAMESPACE.matcher(said);
    if (named.find()) {
      return named.group(1);
    }
    return isWorkspace() ? facts.object().map(KubeObject::namespace).orElse("") : "";
  }
}
