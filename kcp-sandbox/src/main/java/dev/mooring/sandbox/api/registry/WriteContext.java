package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Who writes where and how. Collects the warnings that the answer will carry; of one request, one
 * thread.
 */
public final class WriteContext {
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

  private final UserInfo user;
  private final LogicalCluster cluster;
  private final String namespace;
  private final Effect effect;
  private final FieldValidation fieldValidation;
  private final String fieldManager;
  private final List<String> warnings = new ArrayList<>();

  /**
   * @param namespace of the request's path; empty if none
   * @param fieldManager for {@code managedFields}; never empty
   */
  public WriteContext(
      UserInfo user,
      LogicalCluster cluster,
      String namespace,
      Effect effect,
      FieldValidation fieldValidation,
      String fieldManager) {
    this.user = user;
    this.cluster = cluster;
    this.namespace = namespace;
    this.effect = effect;
    this.fieldValidation = fieldValidation;
    this.fieldManager = fieldManager;
  }

  /** A write by one of the server's own controllers. Its warnings are dropped. */
  public static WriteContext internal(LogicalCluster cluster, String namespace, String manager) {
    return new WriteContext(
        UserInfo.SYSTEM, cluster, namespace, Effect.STORE, FieldValidation.IGNORE, manager);
  }

  public UserInfo user() {
    return user;
  }

  public LogicalCluster cluster() {
    return cluster;
  }

  public String namespace() {
    return namespace;
  }

  public boolean dryRun() {
    return effect == Effect.DRY_RUN;
  }

  public FieldValidation fieldValidation() {
    return fieldValidation;
  }

  public String fieldManager() {
    return fieldManager;
  }

  public void warn(String text) {
    if (warnings.size() < WARNINGS_MAX && !warnings.contains(text)) {
      warnings.add(text);
    }
  }

  public List<String> warnings() {
    return List.copyOf(warnings);
  }
}
