package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.harness.HarnessFailure;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A consistent list of the dependents, and nothing done with it. */
final class BareList implements AutoCloseable {
  /** Of a list in pages. */
  static final int PAGE = 500;

  /** Of a list in one. */
  static final int WHOLE = Integer.MAX_VALUE;

  private static final Pattern CONTINUE = Pattern.compile("\"continue\":\"([^\"]+)\"");

  private final KubernetesClient client;
  private final int page;

  /**
   * @param page how many objects are asked for at once
   */
  BareList(Path kubeconfig, int page) {
    this.page = page;
    this.client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
            .build();
  }

  /** A write comes before each, as before each deletion that is measured. */
  Quantiles measure(Consumer consumer, Mode mode, int samples) {
    var deletions = new Deletions(consumer);
    return Quantiles.of(
        samples,
        number -> {
          deletions.touch(mode, number);
          return () -> list(consumer);
        });
  }

  @Override
  public void close() {
    client.close();
  }

  private void list(Consumer consumer) {
    String url =
        consumer.client().url()
            + "/"
            + ProtectionStage.MACHINES.apiPath()
            + "/namespaces/"
            + ProtectionStage.NAMESPACE
            + "/"
            + ProtectionStage.MACHINES.resource()
            + (page == WHOLE ? "?" : "?limit=" + page);
    int pages = 0;
    String token = "";
    do {
      String text =
          client.raw(
              token.isEmpty()
                  ? url
                  : url + "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8));
      if (text == null) {
        throw new HarnessFailure(url + " was not found");
      }
      pages++;
      Matcher next = CONTINUE.matcher(text);
      token = next.find() ? next.group(1) : "";
    } while (!token.isEmpty());
    if (pages != Math.ceilDiv(consumer.machines(), page)) {
      throw new HarnessFailure(
          "The machines of " + consumer.name() + " came in " + pages + " pages");
    }
  }
}
