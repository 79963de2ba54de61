package dev.mooring.cli.lint;

import dev.mooring.cli.graph.RuleGraph;
import dev.mooring.cli.lint.Finding.Severity;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.published.Publications;
import dev.mooring.depcontroller.workspace.decide.SingleSegmentPath;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRuleReader;
import dev.mooring.model.dependency.FieldFindings;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.schema.ObjectSchema;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.SelectorRules;
import dev.mooring.sandbox.crd.definition.ApiResourceSchemaValidator;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.NameConflict;
import dev.mooring.syncagent.published.InvalidPublishedResource;
import dev.mooring.syncagent.published.NamedFields;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.Publishing;
import dev.mooring.syncagent.published.SchemaNotice;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks PublishedResources and DependencyRules with the shipped schemas and with the services' own
 * readers, and CustomResourceDefinitions as an API server does, which lets the PublishedResources
 * of their kind be projected. Objects of other kinds are not checked.
 */
final class Linter {
  /** What a message of a service begins with, if it is about one field. */
  private static final Pattern FIELD = Pattern.compile("^(spec|metadata)[\\w.\\[\\]]*");

  /** As API servers demand it of both kinds: a DNS subdomain. */
  private static final Pattern OBJECT_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private final Definition publishedResources =
      new Definition("publishedresources.syncagent.kcp.io.yaml");
  private final Definition dependencyRules = new Definition("crd.yaml");
  private final List<Manifest> manifests;
  private final Publishing publishing;
  private final Publications publications;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> invalidCrds = new HashSet<>();
  private final TreeSet<GroupResource> dependents = new TreeSet<>();
  private int checked;

  private Linter(List<Manifest> manifests, Publishing publishing) {
    this.manifests = manifests;
    this.publishing = publishing;
    this.publications =
        new Publications(
            manifests.stream()
                .filter(Manifest.Parsed.class::isInstance)
                .map(Manifest.Parsed.class::cast)
                .toList());
  }

  /**
   * All findings, sorted by file and line.
   *
   * @param checked objects
   * @param dependents of the valid rules, sorted
   */
  record Report(int checked, List<Finding> findings, List<GroupResource> dependents) {
    Report {
      findings = List.copyOf(findings);
      dependents = List.copyOf(dependents);
    }

    long count(Severity severity) {
      return findings.stream().filter(finding -> finding.severity() == severity).count();
    }
  }

  /**
   * @param publishing the agent's default
   */
  static Report lint(List<Manifest> manifests, Publishing publishing) {
    return new Linter(manifests, publishing).run();
  }

  private Report run() {
    publications.manifests().stream()
        .filter(manifest -> manifest.object().kind().equals(Publications.CRD_KIND))
        .forEach(this::definition);
    var published = new ArrayList<Manifest.Parsed>();
    for (Manifest manifest : manifests) {
      switch (manifest) {
        case Manifest.Malformed(var file, var line, var message) ->
            findings.add(new Finding(file, line, Severity.ERROR, "-", "Malformed", message));
        case Manifest.Parsed parsed when parsed.group().equals(publishedResources.group) -> {
          if (hasShape(parsed, publishedResources)) {
            publishedResource(parsed, published);
            published.add(parsed);
          }
        }
        case Manifest.Parsed parsed when parsed.group().equals(dependencyRules.group) -> {
          if (hasShape(parsed, dependencyRules)) {
            dependencyRule(parsed);
          }
        }
        case Manifest.Parsed _ -> {
          // Another kind.
        }
      }
    }
    if (findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR)) {
      cycles();
    }
    findings.sort(Comparator.comparing(Finding::file).thenComparing(Finding::line));
    return new Report(checked, findings, List.copyOf(dependents));
  }

  private boolean hasShape(Manifest.Parsed manifest, Definition definition) {
    checked++;
    KubeObject object = manifest.object();
    if (!object.kind().equals(definition.kind)) {
      error(manifest, "kind", "UnknownKind", "kind: unknown in this group; use " + definition.kind);
      return false;
    }
    if (!object.apiVersion().equals(definition.apiVersion())) {
      error(
          manifest,
          "apiVersion",
          "UnknownVersion",
          "apiVersion: not served; use " + definition.apiVersion());
      return false;
    }
    if (object.name().isEmpty()) {
      error(manifest, "metadata", "Invalid", "metadata.name is missing, or not a text");
    } else if (!OBJECT_NAME.matcher(object.name()).matches() || object.name().length() > 253) {
      error(
          manifest,
          "metadata.name",
          "Invalid",
          "metadata.name: \""
              + object.name()
              + "\": use lower case letters, digits, \"-\" and \".\", at most 253 characters");
    }
    for (String field : definition.unknownFields(object)) {
      List<String> known = definition.fieldsNextTo(field);
      error(
          manifest,
          field,
          "UnknownField",
          field
              + ": unknown field, which kubectl refuses and others drop; "
              + (known.isEmpty() ? "remove it" : "known here: " + String.join(", ", known)));
    }
    return true;
  }

  private void publishedResource(Manifest.Parsed manifest, List<Manifest.Parsed> before) {
    Set<String> complained = schemaErrors(manifest, publishedResources);
    selectors(manifest, complained);
    Optional<PublishedResource> read = read(manifest, complained);
    Optional<Publication> publication = read.flatMap(_ -> publication(manifest.object()));
    publication.ifPresent(result -> published(manifest, Severity.ERROR, result));
    fields(manifest, publication);
    locations(manifest);
    constantName(manifest);
    namespaceName(manifest);
    unknownAnnotations(manifest);
    read.filter(own -> own.schemaRules().isExternal(publishing))
        .ifPresent(_ -> ignoredUnderExternal(manifest));
    read.ifPresent(own ->
        before.stream()
            .filter(other -> conflict(other.object(), own, publication))
            .findFirst()
            .ifPresent(other ->
                error(
                    manifest,
                    "spec.resource",
                    "DuplicateResource",
                    "spec.resource: PublishedResource "
                        + other.object().name()
                        + " ("
                        + other.file()
                        + ":"
                        + other.lines().of("spec.resource")
                        + ") publishes or syncs the same type, and the older one wins;"
                        + " delete one, project one to another name, or set"
                        + " spec.synchronization.enabled of one to false")));
  }

  /**
   * What the agent would not publish, and what kcp would refuse of the schema.
   *
   * @param severity of both
   */
  private void published(Manifest.Parsed manifest, Severity severity, Publication result) {
    switch (result) {
      case Publication.Rejected(var reason, var message) ->
          add(manifest, fieldOf(message), severity, reason, message);
      case Publication.Ready(var _, var schema) -> {
        schema.notices().stream()
            // Paths are errors here, see below.
            .filter(notice -> notice.condition().equals(SchemaNotice.COMPLETE))
            .forEach(notice ->
                add(manifest, notice.field(), Severity.WARNING, notice.reason(), notice.message()));
        if (!invalidCrds.contains(GroupResource.of(schema.onService().resource()).toString())) {
          ApiResourceSchemaValidator.onCreate(schema.schema("agent"))
              .forEach(refused ->
                  add(
                      manifest,
                      refused.field().matches("spec\\.(group|names).*")
                          ? "spec.projection"
                          : "spec.resource",
                      severity,
                      "Invalid",
                      "kcp would refuse the APIResourceSchema: " + refused));
        }
      }
      case Publication.Unreadable _ -> {
        // A failed read; manifests are not read from a server.
      }
    }
  }

  /** Paths that no object can have, by the schema if there is one. */
  private void fields(Manifest.Parsed manifest, Optional<Publication> publication) {
    ObjectSchema fields =
        publication.orElse(null) instanceof Publication.Ready(var _, var schema)
            ? Publications.schema(schema.spec(), schema.inKcp().resource().version()).orElseThrow()
            : new ObjectSchema(Map.of());
    NamedFields.missing(manifest.object(), fields, publications::schema)
        .forEach(problem ->
            error(
                manifest,
                problem.field(),
                FieldFindings.NOT_IN_SCHEMA,
                problem.field() + ": " + problem.message()));
  }

  /** The agent reads one way to find related objects, and ignores the others. */
  private void locations(Manifest.Parsed manifest) {
    List<Object> related = manifest.object().list("spec", "related");
    for (int i = 0; i < related.size(); i++) {
      for (String[] at : new String[][] {{"object"}, {"object", "namespace"}}) {
        List<String> ways =
            Stream.of("reference", "selector", "template")
                .filter(Trees.map(related.get(i), at)::containsKey)
                .toList();
        if (ways.size() > 1) {
          String field = "spec.related[" + i + "]." + String.join(".", at);
          error(
              manifest,
              field,
              "InvalidSpec",
              field + ": " + String.join(" and ", ways) + " exclude each other; keep one");
        }
      }
    }
  }

  /** An object can have no label that they ask for. */
  private void selectors(Manifest.Parsed manifest, Set<String> complained) {
    for (String part : List.of("namespace", "resource")) {
      String field = "spec.filter." + part;
      var errors = new FieldErrors();
      SelectorRules.check(manifest.object().at("spec", "filter", part), field, errors);
      errors.forEach(wrong -> error(manifest, wrong.field(), "Invalid", wrong.toString()));
      if (!errors.isEmpty()) {
        complained.add(field);
      }
    }
  }

  private void namespaceName(Manifest.Parsed manifest) {
    String text = manifest.object().text("spec", "naming", "namespace");
    String constant =
        text.replaceAll("(?s)\\{\\{.*?}}|\\$remote(Cluster)?Name(space)?(Hash)?|\\s", "");
    if (!constant.matches("[-a-z0-9]*")) {
      error(
          manifest,
          "spec.naming.namespace",
          "InvalidSpec",
          "spec.naming.namespace: \"%s\" is part of no namespace's name; use lower case letters, digits and \"-\""
              .formatted(constant));
    }
  }

  private void constantName(Manifest.Parsed manifest) {
    String name = manifest.object().text("spec", "naming", "name");
    boolean constant =
        Stream.of(name, manifest.object().text("spec", "naming", "namespace"))
            .noneMatch(text -> text.contains("$remoteName") || text.contains(".Object"));
    if (!name.isEmpty() && constant) {
      error(
          manifest,
          "spec.naming.name",
          "InvalidSpec",
          "spec.naming.name: every copy would have the name \""
              + name
              + "\"; use {{ .Object.metadata.name }} in it");
    }
  }

  /** An annotation with a typo has no effect, and no server refuses it. */
  private void unknownAnnotations(Manifest.Parsed manifest) {
    for (String name : manifest.object().annotations().keySet()) {
      if (name.startsWith(SyncMarks.GROUP + "/") && !name.equals(SyncMarks.APPROVED_SCHEMA)) {
        add(
            manifest,
            "metadata.annotations",
            Severity.WARNING,
            "NoEffect",
            "metadata.annotations: "
                + name
                + " is unknown to the agent; known here: "
                + SyncMarks.APPROVED_SCHEMA);
      }
    }
  }

  /** What is about schemas that the agent writes. */
  private void ignoredUnderExternal(Manifest.Parsed manifest) {
    for (String field : List.of("schemaChanges", "prune")) {
      if (manifest.object().at("spec", "synchronization", field) != null) {
        String path = "spec.synchronization." + field;
        add(
            manifest,
            path,
            Severity.WARNING,
            "NoEffect",
            path
                + " has no effect: with publishing External the agent writes no schema; remove it");
      }
    }
  }

  private boolean conflict(
      KubeObject other, PublishedResource own, Optional<Publication> publication) {
    return NameConflict.isSameKind(other, own)
        || publication.orElse(null) instanceof Publication.Ready(var _, var schema)
            && publication(other).orElse(null) instanceof Publication.Ready(var _, var otherSchema)
            && NameConflict.isSameType(otherSchema, schema);
  }

  /** What the agent makes of it; empty if it is valid and its CRD is not among the manifests. */
  private Optional<Publication> publication(KubeObject object) {
    Publication publication = publications.of(object, "");
    return Publications.isLackingCrd(publication) ? Optional.empty() : Optional.of(publication);
  }

  private Optional<PublishedResource> read(Manifest.Parsed manifest, Set<String> complained) {
    try {
      return Optional.of(PublishedResource.read(manifest.object()));
    } catch (InvalidPublishedResource e) {
      e.problems()
          .forEach(problem ->
              reported(
                  manifest,
                  complained,
                  problem.reason().text(),
                  String.valueOf(problem.getMessage())));
      return Optional.empty();
    }
  }

  /** What an API server refuses; without PublishedResources also what cannot be published of it. */
  private void definition(Manifest.Parsed manifest) {
    checked++;
    List<FieldError> errors = CrdErrors.of(manifest.object());
    errors.forEach(refused ->
        error(manifest, CrdErrors.inFile(refused.field()), "Invalid", refused.toString()));
    if (!errors.isEmpty()) {
      invalidCrds.add(manifest.object().name());
    } else if (publications.resources().isEmpty()) {
      KubeObject resource = Publications.publishing(manifest.object());
      published(manifest, Severity.WARNING, publications.of(resource, ""));
    }
  }

  private void dependencyRule(Manifest.Parsed manifest) {
    Set<String> complained = schemaErrors(manifest, dependencyRules);
    // A name that is missing is reported already.
    switch (DependencyRuleReader.read(manifest.object().with("rule", "metadata", "name"))) {
      case RuleReading.Invalid(var _, var _, var problems) ->
          problems.forEach(problem -> reported(manifest, complained, "InvalidRule", problem));
      case RuleReading.Valid(var rule) -> {
        dependents.add(GroupResource.of(rule.dependent().type()));
        rule.problems()
            .forEach(problem -> reported(manifest, complained, "PartlyInvalid", problem));
        raceProtection(manifest, rule);
        paths(manifest, rule);
        publications
            .schema(rule.dependent().type())
            .map(schema -> FieldFindings.of(rule, schema))
            .ifPresent(fields ->
                fields
                    .problems()
                    .forEach(problem ->
                        reported(manifest, complained, FieldFindings.NOT_IN_SCHEMA, problem)));
      }
    }
  }

  private void raceProtection(Manifest.Parsed manifest, DependencyRule rule) {
    if (rule.enforcement().raceProtection() == RaceProtection.STRICT && !rule.guardsReferences()) {
      add(
          manifest,
          "spec.raceProtection",
          Severity.WARNING,
          "NoEffect",
          "spec.raceProtection has no effect: "
              + (rule.enforcement().mode() == Mode.DENY
                  ? "webhooks of a provider do not see core types; remove it"
                  : "a rule of mode "
                      + rule.enforcement().mode().text()
                      + " refuses nothing; set spec.mode to Deny, or remove it"));
    }
  }

  private void paths(Manifest.Parsed manifest, DependencyRule rule) {
    for (int i = 0; i < rule.dependencies().size(); i++) {
      WorkspacePath path = rule.dependencies().get(i).export().path();
      if (SingleSegmentPath.begins(path)) {
        add(
            manifest,
            "spec.dependencies[" + i + "].apiExportRef.path",
            SingleSegmentPath.mayBeginWithCluster(path) ? Severity.WARNING : Severity.ERROR,
            "NotFromRoot",
            SingleSegmentPath.remedy(path));
      }
    }
  }

  /** Only of rules without errors: the others have no dependencies. */
  private void cycles() {
    RuleGraph.of(publications.manifests()).edges().stream()
        .filter(RuleGraph.Edge::cyclic)
        .forEach(edge ->
            add(
                edge.rule(),
                "spec.dependencies",
                Severity.WARNING,
                "Cyclic",
                edge.dependent()
                    + " refers to "
                    + edge.target()
                    + " in a cycle: such objects can keep each other from being deleted"));
  }

  /** Returns the fields that it reports. */
  private Set<String> schemaErrors(Manifest.Parsed manifest, Definition definition) {
    var complained = new HashSet<String>();
    for (FieldError error : definition.errors(manifest.object())) {
      complained.add(error.field());
      error(manifest, error.field(), "Invalid", error.toString());
    }
    return complained;
  }

  /** A sentence of a service, unless the schema complains about the same field. */
  private void reported(
      Manifest.Parsed manifest, Set<String> complained, String reason, String message) {
    String path = fieldOf(message);
    if (!complained.contains(path)) {
      error(manifest, path, reason, message);
    }
  }

  private static String fieldOf(String message) {
    Matcher field = FIELD.matcher(message);
    return field.find() ? field.group() : "spec";
  }

  private void error(Manifest.Parsed manifest, String field, String reason, String message) {
    add(manifest, field, Severity.ERROR, reason, message);
  }

  private void add(
      Manifest.Parsed manifest, String field, Severity severity, String reason, String message) {
    findings.add(
        new Finding(
            manifest.file(),
            manifest.lines().of(field),
            severity,
            manifest.title(),
            reason,
            message));
  }
}
