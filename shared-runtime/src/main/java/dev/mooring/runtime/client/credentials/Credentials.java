package dev.mooring.runtime.client.credentials;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the Authorization header on requests. Replaces fabric8's own interceptor, which reads the
 * whole kubeconfig again before every request once a minute has passed without a token in it.
 * Thread-safe.
 */
public abstract class Credentials implements Interceptor {
  private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);
  private static final String AUTHORIZATION = "Authorization";
  private static final String BEARER = "Bearer ";

  private Credentials() {}

  /** Those of a kubeconfig; read again when the server no longer accepts them. */
  static Credentials of(Supplier<Config> reader) {
    return new OfKubeconfig(reader);
  }

  /** A bearer token in a file that another program, such as the kubelet, replaces. */
  static Credentials tokenFile(Path file) {
    return new OfFile(file);
  }

  /** Of the Authorization header; empty with other credentials, such as a client certificate. */
  public Optional<String> bearerToken() {
    String header = current();
    return header.startsWith(BEARER)
        ? Optional.of(header.substring(BEARER.length()))
        : Optional.empty();
  }

  @Override
  public void before(BasicBuilder headers, HttpRequest request, RequestTags tags) {
    String header = current();
    if (!header.isEmpty()) {
      headers.setHeader(AUTHORIZATION, header);
    }
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder headers, HttpResponse<?> response, RequestTags tags) {
    if (response.code() != 401) {
      return CompletableFuture.completedFuture(false);
    }
    String before = current();
    String after = reloaded();
    if (after.isEmpty() || after.equals(before)) {
      return CompletableFuture.completedFuture(false);
    }
    headers.setHeader(AUTHORIZATION, after);
    return CompletableFuture.completedFuture(true);
  }

  /** The header's value; empty for none, as with client certificates. */
  abstract String current();

  abstract String reloaded();

  private static final class OfKubeconfig extends Credentials {
    private final Supplier<Config> reader;
    private volatile String header;

    OfKubeconfig(Supplier<Config> reader) {
      this.reader = reader;
      this.header = header(reader.get());
    }

    @Override
    String current() {
      return header;
    }

    @Override
    String reloaded() {
      try {
        header = header(reader.get());
      } catch (RuntimeException e) {
        LOG.warn(
            "Credentials were refused, and the kubeconfig cannot be read again: {}",
            e.getMessage());
      }
      return header;
    }

    private static String header(Config config) {
      if (config.getUsername() != null && config.getPassword() != null) {
        return HttpClientUtils.basicCredentials(config.getUsername(), config.getPassword());
      }
      String token = config.getAutoOAuthToken();
      return token == null || token.isBlank() ? "" : BEARER + token.strip();
    }
  }

  private static final class OfFile extends Credentials {
    private final Path file;
    private Read read = new Read(FileTime.fromMillis(0), "");

    OfFile(Path file) {
      this.file = file;
      if (current().isEmpty()) {
        throw new IllegalArgumentException("no bearer token can be read from " + file);
      }
    }

    @Override
    synchronized String current() {
      try {
        FileTime modified = Files.getLastModifiedTime(file);
        if (!modified.equals(read.modified())) {
          String token = Files.readString(file).strip();
          read = new Read(modified, token.isEmpty() ? "" : BEARER + token);
        }
      } catch (IOException e) {
        LOG.warn("Keeping the bearer token read before: {} cannot be read: {}", file, e.toString());
      }
      return read.header();
    }

    @Override
    synchronized String reloaded() {
      read = new Read(FileTime.fromMillis(0), read.header());
      return current();
    }

    private record Read(FileTime modified, String header) {}
  }
}
