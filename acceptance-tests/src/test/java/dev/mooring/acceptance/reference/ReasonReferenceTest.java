package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/reference/conditions-and-events.md lists the reasons that the code gives, and no others. In
 * the code a reason is a string literal of several capitalized words.
 */
class ReasonReferenceTest {
  private static final List<String> MODULES =
      List.of(
          "sync-agent-service",
          "dependency-controller-service",
          "dependency-webhook-service",
          "shared-model");
  private static final Pattern LITERAL = Pattern.compile("\"([A-Z][a-z]+(?:[A-Z][a-z]+)*)\"");
  private static final Pattern LISTED = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z]+)*)`");

  /** Literals of the same form: kinds, values of fields, Kubernetes' own reasons and headers. */
  private static final Set<String> OTHERS =
      Set.of(
          "AdmissionReview",
          "AlreadyExists",
          "ArrayRecordComponent",
          "ClusterName",
          "ClusterPath",
          "ConfigMap",
          "DeleteOptions",
          "DependencyRule",
          "DoesNotExist",
          "KeepLocal",
          "LocalObject",
          "LogicalCluster",
          "MatchOrigin",
          "NoneOnDryRun",
          "NotFound",
          "NotIn",
          "NotSupported",
          "OnPrimaryDeletion",
          "PublishedResource",
          "PublishedResources",
          "RelatedObject",
          "RemoteObject",
          "RequireApproval",
          "RequirePermission",
          "SelfSubjectAccessReview",
          "SelfSubjectReview",
          "ServiceUnavailable",
          "SubjectAccessReview",
          "TokenReview",
          "TooManyRequests",
          "ValidatingWebhookConfiguration",
          "WorkspacePath");

  @Test
  void listsEveryReason() throws IOException {
    Set<String> reasons = new TreeSet<>(literals());
    reasons.removeIf(literal -> OTHERS.contains(literal) || !literal.matches(".+[A-Z].*"));

    assertThat(listed()).containsAll(reasons);
  }

  /** The first two columns of every table. */
  @Test
  void listsNoReasonThatTheCodeDoesNotGive() throws IOException {
    Set<String> unknown = listed();
    unknown.removeAll(literals());
    unknown.removeAll(Set.of("True", "Unknown"));

    assertThat(unknown).isEmpty();
  }

  private static Set<String> listed() throws IOException {
    Path page = GeneratedTable.LAYOUT.file("docs/reference/conditions-and-events.md");
    var listed = new TreeSet<String>();
    for (String line : Files.readAllLines(page)) {
      String[] cells = line.split("(?<!\\\\)\\|");
      if (line.startsWith("|")) {
        for (int i = 1; i < Math.min(3, cells.length); i++) {
          LISTED.matcher(cells[i]).results().forEach(found -> listed.add(found.group(1)));
        }
      }
    }
    return listed;
  }

  private static Set<String> literals() throws IOException {
    var literals = new TreeSet<String>();
    for (String module : MODULES) {
      Path sources = GeneratedTable.LAYOUT.root().resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          LITERAL
              .matcher(Files.readString(file))
              .results()
              .forEach(found -> literals.add(found.group(1)));
        }
      }
    }
    return literals;
  }
}
