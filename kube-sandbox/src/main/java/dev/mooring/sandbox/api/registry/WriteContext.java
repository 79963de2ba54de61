package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Who writes where and how. Collects the warnings that the answer will carry; of one request, one
 * thread.
 *
 * @param namespace of the request's path; empty if none
 * @param fieldManager for {@code managedFields}; never empty
 * @param givenOptions {@code fieldManager} and {@code fieldValidation}, where the client gave them
 * @param repeatedFields complaints about fields that the body has more than once
 */
public record WriteContext(
    UserInfo user,
    LogicalCluster cluster,
    String namespace,
    Effect effect,
    FieldValidation fieldValidation,
    String fieldManager,
    Map<String, String> givenOptions,
    List<String> warnings,
    List<String> repeatedFields) {
  /** More warnings than this are dropped, as a client could not read them anyway. */
  public static final int WARNINGS_MAX = 64;

  /** Whether anything is stored. */
  public enum Effect {
    STORE,
    DRY_RUN
  }

  /** What happens to fields that the resource does not know. */
  public enum FieldValidation {
    IGNORE,
    WARN,
    STRICT
  }

  /** Without warnings and options of a client. */
  public WriteContext(
      UserInfo user,
      LogicalCluster cluster,
      String namespace,
      Effect effect,
      FieldValidation fieldValidation,
      String fieldManager) {
    this(
        user,
        cluster,
        namespace,
        effect,
        fieldValidation,
        fieldManager,
        Map.of(),
        new ArrayList<>(),
        new ArrayList<>());
  }

  /** A write by one of the server's own controllers. Its warnings are dropped. */
  public static WriteContext internal(LogicalCluster cluster, String namespace, String manager) {
    return new WriteContext(
        UserInfo.SYSTEM, cluster, namespace, Effect.STORE, FieldValidation.IGNORE, manager);
  }

  public boolean dryRun() {
    return effect == Effect.DRY_RUN;
  }

  /** Notes what the body that is being read says twice, in place of what was noted before. */
  public void noteRepeatedFields(List<String> complaints) {
    repeatedFields.clear();
    repeatedFields.addAll(complaints);
  }

  /** All that a strict reader refuses. */
  public List<String> strictComplaints(List<String> unknownFields) {
    var complaints = new ArrayList<>(repeatedFields);
    unknownFields.forEach(field -> complaints.add("unknown field \"" + field + "\""));
    return complaints;
  }

  /** What no header can hold is dropped, as in Kubernetes. */
  public void warn(String text) {
    boolean fits = !text.isEmpty() && text.chars().noneMatch(Character::isISOControl);
    if (fits && warnings.size() < WARNINGS_MAX && !warnings.contains(text)) {
      warnings.add(text);
    }
  }
}
