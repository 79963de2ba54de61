package dev.mooring.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * A service's management port.
 *
 * @param operator token of a caller with the shipped role for operators; empty for none
 * @param stranger token of a caller without permissions; empty for none
 */
record ManagementServer(URI url, String operator, String stranger) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  static ManagementServer at(int port) {
    return new ManagementServer(URI.create("http://127.0.0.1:" + port), "", "");
  }

  ManagementServer withTokens(String ofOperator, String ofStranger) {
    return new ManagementServer(url, ofOperator, ofStranger);
  }

  HttpResponse<String> send(ManagementCall call) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + call.path()))
            .header("Accept", "application/json, text/plain;q=0.5")
            .header("Content-Type", "application/json")
            .method(call.method(), BodyPublishers.ofString(call.body()));
    String token =
        switch (call.caller()) {
          case ANONYMOUS -> "";
          case STRANGER -> stranger;
          case OPERATOR -> operator;
        };
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      return HTTP.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
