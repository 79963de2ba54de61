package dev.mooring.sandbox.admission.match;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.template.text.Bytes;
import dev.mooring.languages.template.text.GoUrl;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a webhook is and which reviews it takes (apiserver {@code pkg/util/webhook/validation.go}).
 */
public final class WebhookAddress {
  private static final String URL_FORM = "; desired format: https://host[/path]";
  private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");

  /** Of a webhook behind a service. */
  public static final long DEFAULT_PORT = 443;

  private static final long PORT_MAX = 65_535;

  private WebhookAddress() {}

  /** The URL of a valid {@code clientConfig}; where there are no services, theirs lead nowhere. */
  public static URI of(@Nullable Object config) {
    Object service = Trees.at(config, "service");
    return URI.create(
        service == null
            ? Trees.text(config, "url")
            : "https://%s.%s.svc:%s%s"
                .formatted(
                    Trees.text(service, "name"),
                    Trees.text(service, "namespace"),
                    Trees.at(service, "port"),
                    Trees.text(service, "path").isEmpty() ? "/" : Trees.text(service, "path")));
  }

  /** Adds what is wrong with a {@code clientConfig}. */
  public static void check(@Nullable Object config, String path, FieldErrors errors) {
    Object url = Trees.at(config, "url");
    Object named = Trees.at(config, "service");
    if ((url == null) == (named == null)) {
      errors.required(path, "exactly one of url or service is required");
    } else if (named == null) {
      url(Trees.textOrEmpty(url), path + ".url", errors);
    } else {
      service(named, path + ".service", errors);
    }
  }

  private static void url(String text, String path, FieldErrors errors) {
    String[] parts = text.split("#", 2);
    GoUrl url;
    try {
      url = GoUrl.parse(Bytes.of(parts[0]));
    } catch (ExpressionFailure e) {
      errors.required(path, "url must be a valid URL: " + text + URL_FORM);
      return;
    }
    if (!url.scheme().equals("https")) {
      errors.invalid(path, url.scheme(), "'https' is the only allowed URL scheme" + URL_FORM);
    }
    if (url.host().isEmpty()) {
      errors.invalid(path, "", "host must be specified" + URL_FORM);
    }
    forbid(path, url.user(), "user information is not permitted in the URL", errors);
    forbid(
        path, parts.length > 1 ? parts[1] : "", "fragments are not permitted in the URL", errors);
    forbid(path, url.query(), "query parameters are not permitted in the URL", errors);
  }

  private static void forbid(String path, String part, String why, FieldErrors errors) {
    if (!part.isEmpty()) {
      errors.invalid(path, part, why);
    }
  }

  /**
   * Adds what is wrong with the versions of reviews that a webhook takes.
   *
   * @param none what is said if there are none
   */
  public static void reviewVersions(
      List<String> versions, String path, FieldErrors errors, String none) {
    if (versions.isEmpty()) {
      errors.required(path, none);
      return;
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < versions.size(); i++) {
      String here = path + "[" + i + "]";
      String version = versions.get(i);
      if (seen.add(version)) {
        NameRules.dns1035Label(version)
            .forEach(complaint -> errors.invalid(here, version, complaint));
      } else {
        errors.invalid(here, version, "duplicate version");
      }
    }
    if (versions.stream().noneMatch(REVIEW_VERSIONS::contains)) {
      errors.invalid(
          path, versions, "must include at least one of " + String.join(", ", REVIEW_VERSIONS));
    }
  }

  private static void service(Object service, String path, FieldErrors errors) {
    for (String field : List.of("name", "namespace")) {
      if (Trees.text(service, field).isEmpty()) {
        errors.required(path + "." + field, "");
      }
    }
    long port = Trees.at(service, "port") instanceof Long given ? given : DEFAULT_PORT;
    if (port < 1 || port > PORT_MAX) {
      errors.invalid(
          path + ".port", port, "port is not valid: must be between 1 and 65535, inclusive");
    }
    String steps = Trees.text(service, "path");
    if (!steps.isEmpty() && !steps.startsWith("/")) {
      errors.invalid(path + ".path", steps, "must start with a '/'");
    }
  }
}
