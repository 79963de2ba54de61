package dev.mooring.sandbox.http.resource;

import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.api.registry.WriteContext.FieldValidation;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.http.exchange.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;

/** Reads from a request how its write is meant. */
final class WriteContextFactory {
  private static final int MANAGER_MAX = 128;
  private static final String ALL = "All";
  private static final Map<String, FieldValidation> VALIDATIONS =
      Map.of(
          "", FieldValidation.WARN,
          "Warn", FieldValidation.WARN,
          "Strict", FieldValidation.STRICT,
          "Ignore", FieldValidation.IGNORE);

  private WriteContextFactory() {}

  /**
   * @param optionsKind such as {@code CreateOptions}, for complaints
   * @throws ApiFailure 422 for options that do not exist
   */
  static WriteContext of(ResourceEndpoint.Call call, String optionsKind, List<String> dryRun) {
    Exchange exchange = call.exchange();
    var errors = new FieldErrors();
    String manager = exchange.query("fieldManager");
    boolean patches = optionsKind.equals("PatchOptions");
    if (manager.isEmpty() && patches && PatchParser.applies(exchange)) {
      errors.required("fieldManager", "is required for apply patch");
    }
    checkManager(manager, errors);
    if (!dryRun.stream().allMatch(ALL::equals)) {
      errors.notSupported("dryRun", dryRun, List.of(ALL));
    }
    String validation = exchange.query("fieldValidation");
    if (!VALIDATIONS.containsKey(validation)) {
      errors.notSupported("fieldValidation", validation, List.of("", "Ignore", "Strict", "Warn"));
    }
    if (!errors.isEmpty()) {
      throw ApiFailure.invalid("meta.k8s.io", optionsKind, "", errors);
    }
    var context =
        new WriteContext(
            call.view().effectiveUser(call.user()),
            call.cluster(),
            call.namespace(),
            dryRun.isEmpty() ? Effect.STORE : Effect.DRY_RUN,
            VALIDATIONS.getOrDefault(validation, FieldValidation.WARN),
            manager(exchange, call.view()),
            given(exchange),
            new ArrayList<>(),
            new ArrayList<>());
    exchange.warn(context.warnings());
    return context;
  }

  private static Map<String, String> given(Exchange exchange) {
    var given = new LinkedHashMap<String, String>();
    for (String option : List.of("fieldManager", "fieldValidation")) {
      String value = exchange.query(option);
      if (!value.isEmpty()) {
        given.put(option, value);
      }
    }
    return given;
  }

  private static void checkManager(String manager, FieldErrors errors) {
    int bytes = manager.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MANAGER_MAX) {
      errors.add(FieldError.tooLong("fieldManager", MANAGER_MAX));
    }
    for (int at = 0; at < manager.length(); at++) {
      char c = manager.charAt(at);
      if (Character.isISOControl(c)) {
        errors.invalid(
            "fieldManager",
            manager,
            "invalid character U+%04X (at position %s)".formatted((int) c, at));
      }
    }
  }

  /** What the client says, or the first word of the user agent: kcp's own where it forwards. */
  private static String manager(Exchange exchange, ApiView view) {
    String manager = exchange.query("fieldManager");
    if (manager.isEmpty()) {
      manager = view.forwards() ? "kcp" : exchange.header(HttpHeader.USER_AGENT).split("/", 2)[0];
    }
    if (manager.isBlank()) {
      manager = "unknown";
    }
    return manager.length() > MANAGER_MAX ? manager.substring(0, MANAGER_MAX) : manager;
  }
}
