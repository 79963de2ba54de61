package dev.mooring.console.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.testing.ManagementContract;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The console of a service, and its endpoints by {@link ManagementContract}. */
public abstract class ConsoleContract extends ManagementContract {
  @ParameterizedTest
  @EnumSource
  void theConsoleAsksForATokenAndShowsNothingWithoutOne(Port port) throws Exception {
    HttpResponse<String> none = send(port, "GET", "/console/", "");
    HttpResponse<String> stranger = send(port, "GET", "/console/", STRANGER);

    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(none.body()).contains("<h1>Log in</h1>").doesNotContain("Health", "replica is");
    assertThat(stranger.statusCode()).isEqualTo(403);
    assertThat(stranger.body())
        .contains("stranger needs permission to get the nonResourceURL /actuator/status")
        .doesNotContain("replica is");
    assertThat(send(port, "GET", "/console", "").statusCode()).isEqualTo(303);
  }

  @ParameterizedTest
  @EnumSource
  void theConsoleShowsHealthToACallerWhoMayReadTheStatus(Port port) throws Exception {
    HttpResponse<String> reader = send(port, "GET", "/console/", READER);

    assertThat(reader.statusCode()).isEqualTo(200);
    assertThat(reader.body()).contains("<h1>Health</h1>", "This replica is ready.");
    assertThat(send(port, "HEAD", "/console/", READER).statusCode()).isEqualTo(200);
    assertThat(reader.headers().firstValue("Content-Security-Policy"))
        .hasValueSatisfying(policy ->
            assertThat(policy)
                .contains("default-src 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "script-src"));
    assertThat(reader.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(reader.headers().firstValue("X-Frame-Options")).contains("DENY");
    assertThat(reader.headers().firstValue("Referrer-Policy")).contains("same-origin");
    assertThat(send(port, "GET", "/console/style.css", "").body()).contains("prefers-color-scheme");
  }

  @ParameterizedTest
  @EnumSource
  void theConsoleAcceptsAPastedTokenFromItsOwnPageOnly(Port port) throws Exception {
    String own = management(port).toString();
    HttpResponse<String> login = logIn(port, "Origin", own, READER);
    assertThat(login.statusCode()).as(login.body()).isEqualTo(303);
    String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();

    assertThat(cookie).contains("HttpOnly", "SameSite=Strict").doesNotContain(READER);
    assertThat(cookie.contains("Secure")).isEqualTo(own.startsWith("https"));
    String sent = cookie.substring(0, cookie.indexOf(';'));
    assertThat(get(port, "/console/", sent).body()).contains("This replica is ready.", "Log out");
    assertThat(get(port, "/console/", sent + "x").statusCode()).isEqualTo(401);
    assertThat(get(port, "/actuator/status", sent).statusCode()).isEqualTo(401);

    assertThat(logIn(port, "Origin", own, STRANGER).statusCode()).isEqualTo(403);
    assertThat(logIn(port, "Origin", own, "forged").statusCode()).isEqualTo(401);
    assertThat(logIn(port, "Origin", own, "a".repeat(5000)).statusCode()).isEqualTo(400);
    assertThat(logIn(port, "Origin", "https://evil.example", READER).statusCode()).isEqualTo(403);
    assertThat(logIn(port, "Origin", "null", READER).statusCode()).isEqualTo(403);
    assertThat(logIn(port, "Sec-Fetch-Site", "cross-site", READER).statusCode()).isEqualTo(403);
    assertThat(logIn(port, "Sec-Fetch-Site", "same-origin", READER).statusCode()).isEqualTo(303);
    assertThat(logIn(port, "X-Nothing", "", READER).statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @EnumSource
  void theConsoleSaysWhatItDoesNotServe(Port port) throws Exception {
    for (String token : List.of("", READER)) {
      HttpResponse<String> unknown = send(port, "GET", "/console/nothing", token);

      assertThat(unknown.statusCode()).isEqualTo(404);
      assertThat(unknown.body())
          .contains("<h1>Not found</h1>", "The request was refused: there is no page nothing.");
    }
    HttpResponse<String> write =
        post(port, "/console/", "Origin", management(port).toString(), "token=" + READER);

    assertThat(write.statusCode()).isEqualTo(405);
    assertThat(write.headers().firstValue("Allow")).contains("GET, HEAD");
    assertThat(write.body())
        .contains("<h1>Not permitted</h1>", "The request was refused: the console is read-only.");
  }

  @Test
  void theConsoleIsServedToAddressesAndLocalNamesWhereNoTokenIsAskedFor() throws Exception {
    assertThat(answerWithoutTokens("GET /console/", "Host: localhost")).startsWith("HTTP/1.1 200 ");
    assertThat(answerWithoutTokens("GET /console/", "Host: evil.example"))
        .startsWith("HTTP/1.1 403 ");
  }

  private HttpResponse<String> logIn(Port port, String header, String value, String token)
      throws Exception {
    return post(port, "/console/login", header, value, "token=" + token);
  }

  private HttpResponse<String> post(
      Port port, String path, String header, String value, String form) throws Exception {
    try (HttpClient client = client()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(management(port) + path))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .header(header, value)
              .POST(BodyPublishers.ofString(form))
              .build(),
          BodyHandlers.ofString());
    }
  }

  /**
   * @param cookie as a browser sends it
   */
  private HttpResponse<String> get(Port port, String path, String cookie) throws Exception {
    try (HttpClient client = client()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(management(port) + path))
              .header("Cookie", cookie)
              .build(),
          BodyHandlers.ofString());
    }
  }
}
