package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.access.Caller;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code admission.k8s.io/v1} reviews to values. Anything that comes in gets a {@link Review};
 * nothing is thrown. A field of another type than API servers write makes a review malformed and is
 * never taken for a field that is absent: a group that cannot be read would be the core group,
 * about whose resources there are no rules.
 */
record ReviewDecoder(KubeObject review, String uid, Optional<LogicalCluster> provider) {
  /** Where an API server writes it: at the very start. */
  private static final Pattern LEADING_UID =
      Pattern.compile("\"request\"\\s*:\\s*\\{\\s*\"uid\"\\s*:\\s*\"([0-9a-zA-Z-]{1,64})\"");

  private static final int LEADING_BYTES = 4096;

  /** Several times as long as those of API servers; it is repeated in answers and logs. */
  private static final int UID_MAX = 256;

  /** Of what is quoted in messages. */
  private static final int QUOTED_MAX = 100;

  private static final String OLD_OBJECT = "oldObject";
  private static final String OBJECT = "object";

  /**
   * @param provider as the path of the review names it; empty if it does not
   */
  static Review decodeReview(byte[] body, Optional<LogicalCluster> provider) {
    KubeObject review;
    try {
      review = KubeJson.readObject(body);
    } catch (MalformedJson e) {
      return new Review.Malformed(leadingUid(body), "not an AdmissionReview: " + e.getMessage());
    }
    String uid = review.text("request", "uid");
    if (uid.length() > UID_MAX) {
      return new Review.Malformed(
          "", "the review's request.uid is longer than " + UID_MAX + " characters");
    }
    try {
      return new ReviewDecoder(review, uid, provider).decode();
    } catch (Unreadable e) {
      return new Review.Malformed(uid, String.valueOf(e.getMessage()));
    }
  }

  /** Of a body that is too large or broken to be read as a whole; empty if it is not there. */
  static String leadingUid(byte[] body) {
    String start =
        new String(body, 0, Math.min(body.length, LEADING_BYTES), StandardCharsets.UTF_8);
    Matcher matcher = LEADING_UID.matcher(start);
    return matcher.find() ? matcher.group(1) : "";
  }

  private Review decode() {
    if (!ReviewEncoder.KIND.equals(review.kind())
        || !ReviewEncoder.API_VERSION.equals(review.apiVersion())) {
      throw new Unreadable(
          "expected %s %s, got %s %s"
              .formatted(
                  ReviewEncoder.API_VERSION,
                  ReviewEncoder.KIND,
                  named(review.apiVersion()),
                  named(review.kind())));
    }
    if (uid.isEmpty()) {
      throw new Unreadable("the review has no request.uid");
    }
    String operation = text("request", "operation");
    return switch (operation) {
      case "DELETE" -> deletion();
      case "CREATE", "UPDATE" -> writing(operation);
      case "CONNECT" -> new Review.OtherOperation(uid);
      default -> throw new Unreadable("the review's request.operation is " + named(operation));
    };
  }

  /** A status is written as the whole object; other subresources have kinds of their own. */
  private Review writing(String operation) {
    String subresource = text("request", "subResource");
    if (!subresource.isEmpty() && !subresource.equals("status")) {
      return new Review.OtherOperation(uid);
    }
    String resource = text("request", "resource", "resource");
    String version = text("request", "resource", "version");
    if (map("request", OBJECT).isEmpty() || resource.isEmpty() || version.isEmpty()) {
      throw new Unreadable("the review has no request.object or request.resource");
    }
    KubeObject after = object(OBJECT);
    Optional<KubeObject> before = Optional.empty();
    if (operation.equals("UPDATE")) {
      if (map("request", OLD_OBJECT).isEmpty()) {
        throw new Unreadable("failed to parse object: the review has no oldObject");
      }
      before = Optional.of(object(OLD_OBJECT));
    }
    return new Review.CreateOrUpdate(
        uid,
        // Who changes an object may leave the annotation out of the new one.
        cluster(before.orElse(after)),
        new ResourceType(group(), version, resource),
        before,
        after,
        recording(),
        provider);
  }

  private Review deletion() {
    String resource = text("request", "resource", "resource");
    if (resource.isEmpty()) {
      throw new Unreadable("the review has no request.resource");
    }
    if (map("request", OLD_OBJECT).isEmpty() && map("request", OBJECT).isEmpty()) {
      throw new Unreadable("failed to parse object: the review carries none");
    }
    KubeObject object = object(map("request", OLD_OBJECT).isEmpty() ? OBJECT : OLD_OBJECT);
    var key = new ObjectKey(cluster(object), object.namespace(), object.name());
    return new Review.Deletion(
        uid,
        new Target(new GroupResource(group(), resource), key),
        object,
        Caller.of(review.map("request", "userInfo")),
        provider,
        recording());
  }

  /** API servers write the group even where it is empty. */
  private String group() {
    if (value("request", "resource", "group") == null) {
      throw new Unreadable("the review has no request.resource.group");
    }
    return text("request", "resource", "group");
  }

  private KubeObject object(String field) {
    for (String metadata : List.of("name", "namespace", "uid")) {
      text("request", field, "metadata", metadata);
    }
    map("request", field, "metadata", "annotations");
    KubeObject object = KubeObject.owning(map("request", field));
    if (object.name().isEmpty()) {
      throw new Unreadable("failed to parse object: it has no metadata.name");
    }
    return object;
  }

  private static LogicalCluster cluster(KubeObject object) {
    String name =
        object
            .annotation(LogicalCluster.ANNOTATION)
            .orElseThrow(
                () -> new Unreadable("object has no " + LogicalCluster.ANNOTATION + " annotation"));
    return LogicalCluster.parse(name)
        .orElseThrow(() ->
            new Unreadable(
                "object's %s annotation is not the name of a logical cluster: %s"
                    .formatted(LogicalCluster.ANNOTATION, named(name))));
  }

  private Recording recording() {
    return switch (value("request", "dryRun")) {
      case null -> Recording.RECORDED;
      case Boolean dry when dry -> Recording.DRY_RUN;
      case Boolean _ -> Recording.RECORDED;
      default -> throw new Unreadable("the review's request.dryRun is neither true nor false");
    };
  }

  /** Empty where there is none, or null. */
  private String text(String... path) {
    return switch (value(path)) {
      case null -> "";
      case String text -> text;
      default -> throw new Unreadable("the review's " + String.join(".", path) + " is no text");
    };
  }

  /** Empty where there is none, or null. */
  private Map<String, Object> map(String... path) {
    return switch (value(path)) {
      case null -> Map.of();
      case Map<?, ?> map -> Trees.mapOrEmpty(map);
      default -> throw new Unreadable("the review's " + String.join(".", path) + " is no object");
    };
  }

  private @Nullable Object value(String... path) {
    @Nullable Object here = review.tree();
    var walked = new ArrayList<String>();
    for (String step : path) {
      switch (here) {
        case null -> {
          return null;
        }
        case Map<?, ?> map -> here = map.get(step);
        default ->
            throw new Unreadable("the review's " + String.join(".", walked) + " is no object");
      }
      walked.add(step);
    }
    return here;
  }

  private static String named(String text) {
    if (text.isEmpty()) {
      return "(none)";
    }
    return text.length() <= QUOTED_MAX ? text : text.substring(0, QUOTED_MAX) + "…";
  }

  /** Becomes a {@link Review.Malformed}. */
  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(String problem) {
      super(problem, null, false, false);
    }
  }
}
