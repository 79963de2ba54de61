package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Who writes where and how. Collects the warnings that the answer will carry; of one request, one
 * thread.
 *
 * @param namespace of the request's path; empty if none
 * @param fieldManager for {@code managedFields}; never empty
 * @param givenOptions {@code fieldManager} and {@code fieldValidation}, where the client gave them
 * @param faults of the request's body, as a strict reader words them
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
    StrictFaults faults) {

  private static final String YAML_FAULTS = "yaml: unmarshal errors:\n";

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
        new StrictFaults());
  }

  /** A write by one of the server's own controllers. Its warnings are dropped. */
  public static WriteContext internal(LogicalCluster cluster, String namespace, String manager) {
    return new WriteContext(
        UserInfo.SYSTEM, cluster, namespace, Effect.STORE, FieldValidation.IGNORE, manager);
  }

  public boolean dryRun() {
    return effect == Effect.DRY_RUN;
  }

  /** What the body that is being read says twice, such as {@code duplicate field "data.a"}. */
  public static final class StrictFaults {
    private List<String> repeated = List.of();
    private Optional<UnaryOperator<List<String>>> reader = Optional.empty();
  }

  public List<String> repeatedFields() {
    return faults.repeated;
  }

  /** Notes what the body that is being read says twice, in place of what was noted before. */
  public void noteRepeatedFields(List<String> texts) {
    faults.repeated = List.copyOf(texts);
    faults.reader = Optional.empty();
  }

  /**
   * @param reader from unknown fields to all complaints about the body, in the order of its text
   */
  public void noteStrictReader(UnaryOperator<List<String>> reader) {
    faults.reader = Optional.of(reader);
  }

  /** As one complaint about them lists them: repeated fields first, if no reader is noted. */
  public List<String> strictComplaints(List<String> unknownFields) {
    if (faults.reader.isPresent()) {
      return faults.reader.get().apply(unknownFields);
    }
    var complaints = new ArrayList<>(faults.repeated);
    unknownFields.forEach(field -> complaints.add("unknown field \"" + field + "\""));
    return complaints;
  }

  /** Warns of what a strict reader would refuse, of each line of a YAML text apart. */
  public void warnOfFaults(List<String> complaints) {
    complaints.stream()
        .flatMap(complaint ->
            complaint.startsWith(YAML_FAULTS)
                ? complaint.lines().skip(1).map(String::strip)
                : Stream.of(complaint))
        .forEach(this::warn);
  }

  /** What no header can hold is dropped, as in Kubernetes. */
  public void warn(String text) {
    boolean fits = !text.isEmpty() && text.chars().noneMatch(Character::isISOControl);
    if (fits && warnings.size() < WARNINGS_MAX && !warnings.contains(text)) {
      warnings.add(text);
    }
  }
}
