package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.api.registry.WriteContext.FieldValidation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;

/** Reads from a request how its write is meant. */
final class WriteContextFactory {
  private static final int MANAGER_MAX = 128;
  private static final String ALL = "All";

  private WriteContextFactory() {}

  /**
   * @param optionsKind such as {@code CreateOptions}, for complaints
   * @throws ApiFailure 422 for options that do not exist
   */
  static WriteContext of(
      Exchange exchange,
      UserInfo user,
      LogicalCluster cluster,
      String namespace,
      String optionsKind) {
    return of(exchange, user, cluster, namespace, optionsKind, exchange.query("dryRun"));
  }

  static WriteContext of(
      Exchange exchange,
      UserInfo user,
      LogicalCluster cluster,
      String namespace,
      String optionsKind,
      String dryRun) {
    return new WriteContext(
        user,
        cluster,
        namespace,
        effect(dryRun, optionsKind),
        validation(exchange.query("fieldValidation"), optionsKind),
        manager(exchange));
  }

  private static Effect effect(String dryRun, String optionsKind) {
    return switch (dryRun) {
      case "" -> Effect.STORE;
      case ALL -> Effect.DRY_RUN;
      default ->
          throw ApiFailure.invalidOption(
              optionsKind, FieldError.notSupported("dryRun", List.of(dryRun), List.of(ALL)));
    };
  }

  private static FieldValidation validation(String text, String optionsKind) {
    return switch (text) {
      case "", "Warn" -> FieldValidation.WARN;
      case "Strict" -> FieldValidation.STRICT;
      case "Ignore" -> FieldValidation.IGNORE;
      default ->
          throw ApiFailure.invalidOption(
              optionsKind,
              FieldError.notSupported(
                  "fieldValidation", text, List.of("Ignore", "Strict", "Warn")));
    };
  }

  /** What the client says, or the first word of its user agent. */
  private static String manager(Exchange exchange) {
    String manager = exchange.query("fieldManager");
    if (manager.isEmpty()) {
      manager = exchange.header(HttpHeader.USER_AGENT).split("/", 2)[0];
    }
    if (manager.isBlank()) {
      manager = "unknown";
    }
    return manager.length() > MANAGER_MAX ? manager.substring(0, MANAGER_MAX) : manager;
  }
}
