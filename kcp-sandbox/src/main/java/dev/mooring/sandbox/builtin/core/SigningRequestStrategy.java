package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * CertificateSigningRequests: their spec never changes and names who made them, approvals are
 * written in one place, certificates in another. Nothing signs them, as in kcp. After
 * kubernetes/pkg/registry/certificates.
 */
public record SigningRequestStrategy(Part part, InstantSource clock) implements ResourceStrategy {
  private static final String CONDITIONS = "status.conditions";
  private static final List<String> DECISIONS = List.of("Approved", "Denied");
  private static final List<String> OUTCOMES = List.of("Approved", "Denied", "Failed");

  /** Which part of a request is written. */
  public enum Part {
    WHOLE,
    APPROVAL,
    STATUS
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    var spec = new LinkedHashMap<>(object.map("spec"));
    spec.keySet().removeAll(List.of("username", "uid", "groups", "extra"));
    spec.putAll(context.user().toTree());
    return object.with(spec, "spec").with(Map.of(), "status");
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    KubeObject object = updated.withPartOf(current, "spec");
    return switch (part) {
      case WHOLE -> object.withPartOf(current, "status");
      case APPROVAL -> {
        List<Object> conditions = dated(object.list("status", "conditions"), current);
        yield withConditions(object.withPartOf(current, "status"), conditions);
      }
      case STATUS -> {
        List<Object> conditions = object.list("status", "conditions");
        for (String type : DECISIONS) {
          conditions = preserved(conditions, current, type);
        }
        yield withConditions(object, dated(conditions, current));
      }
    };
  }

  private static KubeObject withConditions(KubeObject object, List<Object> conditions) {
    return conditions.isEmpty()
        ? object.without("status", "conditions")
        : object.with(conditions, "status", "conditions");
  }

  /** With the current conditions of the type, unless there are more or fewer now. */
  private static List<Object> preserved(List<Object> conditions, KubeObject current, String type) {
    List<Object> before = ofType(current, type);
    if (conditions.stream().filter(condition -> is(condition, type)).count() != before.size()) {
      return conditions;
    }
    var result = new ArrayList<Object>();
    int next = 0;
    for (Object condition : conditions) {
      result.add(is(condition, type) ? before.get(next++) : condition);
    }
    return result;
  }

  private List<Object> dated(List<Object> conditions, KubeObject current) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    var result = new ArrayList<Object>();
    for (Object condition : conditions) {
      var tree = new LinkedHashMap<>(Trees.mapOrEmpty(condition));
      tree.putIfAbsent("lastUpdateTime", now);
      if (!tree.containsKey("lastTransitionTime")) {
        tree.put(
            "lastTransitionTime",
            current.list("status", "conditions").stream()
                .filter(old ->
                    is(old, Trees.text(condition, "type"))
                        && Trees.text(old, "status").equals(Trees.text(condition, "status")))
                .map(old -> Trees.text(old, "lastTransitionTime"))
                .filter(time -> !time.isEmpty())
                .findFirst()
                .orElse(now));
      }
      result.add(tree);
    }
    return result;
  }

  private static List<Object> ofType(KubeObject request, String type) {
    return request.list("status", "conditions").stream()
        .filter(condition -> is(condition, type))
        .toList();
  }

  private static boolean is(Object condition, String type) {
    return Trees.text(condition, "type").equals(type);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new FieldErrors(SigningRequestRules.ofSpec(object));
    conditions(object.list("status", "conditions"), errors);
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    var errors = new FieldErrors(validateCreate(updated, context));
    for (String type : OUTCOMES) {
      if (ofType(updated, type).size() < ofType(current, type).size()) {
        errors.forbidden(CONDITIONS, "updates may not remove a condition of type \"" + type + "\"");
      }
    }
    if (part != Part.APPROVAL) {
      for (String type : DECISIONS) {
        if (ofType(updated, type).size() > ofType(current, type).size()) {
          errors.forbidden(CONDITIONS, "updates may not add a condition of type \"" + type + "\"");
        }
      }
    }
    certificate(updated, current, errors);
    return errors;
  }

  private void certificate(KubeObject updated, KubeObject current, FieldErrors errors) {
    String field = "status.certificate";
    Object certificate = updated.at("status", "certificate");
    if (Objects.equals(certificate, current.at("status", "certificate"))) {
      return;
    }
    if (part != Part.STATUS) {
      errors.forbidden(field, "updates may not set certificate content");
    } else if (current.at("status", "certificate") != null) {
      errors.forbidden(field, "updates may not modify existing certificate content");
    }
    SigningRequestRules.problemOfCertificate(Trees.textOrEmpty(certificate))
        .ifPresent(why -> errors.invalid(field, "<certificate data>", why));
  }

  private static void conditions(List<Object> conditions, FieldErrors errors) {
    var seen = new ArrayList<String>();
    for (int i = 0; i < conditions.size(); i++) {
      String path = CONDITIONS + "[" + i + "]";
      String type = Trees.text(conditions.get(i), "type");
      String status = Trees.text(conditions.get(i), "status");
      List<String> allowed =
          OUTCOMES.contains(type) ? List.of("True") : List.of("False", "True", "Unknown");
      if (type.isEmpty()) {
        errors.required(path + ".type", "");
      }
      if (status.isEmpty()) {
        errors.required(path + ".status", "");
      } else if (!allowed.contains(status)) {
        errors.notSupported(path + ".status", status, allowed);
      }
      String opposite = type.equals("Approved") ? "Denied" : "Approved";
      if (DECISIONS.contains(type) && seen.contains(opposite)) {
        errors.invalid(CONDITIONS, type, "Approved and Denied conditions are mutually exclusive");
      }
      if (seen.contains(type)) {
        errors.duplicate(path + ".type", type);
      }
      seen.add(type);
    }
  }
}
