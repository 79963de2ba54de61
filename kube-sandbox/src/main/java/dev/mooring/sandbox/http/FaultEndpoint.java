package dev.mooring.sandbox.http;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.fault.FaultSettings;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.security.admin.AdminUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code /faults}, for administrators: PUT replaces the faults that requests meet, DELETE ends
 * them, and GET answers them with how often each was met.
 */
record FaultEndpoint(FaultInjector injector) {
  private static final List<String> ADMINISTRATORS =
      List.of(UserInfo.MASTERS, AdminUsers.KCP_ADMIN_GROUP);

  /** Throws {@link ApiFailure}. */
  void answer(Exchange exchange, UserInfo user) throws IOException {
    if (Collections.disjoint(user.groups(), ADMINISTRATORS)) {
      throw ApiFailure.forbidden(
          "User \"%s\" cannot use path \"/faults\": only administrators can, groups %s"
              .formatted(user.name(), ADMINISTRATORS));
    }
    switch (exchange.method()) {
      case "GET" -> {}
      case "PUT" -> replace(exchange.body());
      case "DELETE" -> injector.replace(FaultSettings.NONE);
      default -> throw ApiFailure.methodNotAllowed();
    }
    var faults = new TreeMap<String, Object>();
    injector.probabilities().forEach((fault, probability) -> faults.put(fault.name(), probability));
    var injected = new TreeMap<String, Object>();
    for (Fault fault : Fault.values()) {
      injected.put(fault.name(), injector.injected(fault));
    }
    var answer = new LinkedHashMap<String, Object>();
    answer.put("faults", faults);
    answer.put("injected", injected);
    exchange.answerObject(200, "application/json", Map.of(), KubeJson.write(answer));
  }

  private void replace(byte[] body) {
    try {
      injector.replace(FaultSettings.of(YamlText.read(new String(body, StandardCharsets.UTF_8))));
    } catch (MalformedJson | IllegalArgumentException e) {
      throw ApiFailure.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
