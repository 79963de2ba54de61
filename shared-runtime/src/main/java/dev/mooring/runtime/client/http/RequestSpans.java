package dev.mooring.runtime.client.http;

import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.trace.WorkSpan;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The spans of requests that are part of work that is traced. Attributes are those that
 * OpenTelemetry has for HTTP clients, and the workspace.
 */
final class RequestSpans {
  private static final Pattern CLUSTER = Pattern.compile("/clusters/(?<cluster>[^/*]+)/");

  private RequestSpans() {}

  static WorkSpan open(String method, RequestTarget target, URI url) {
    WorkSpan work = WorkSpan.current();
    if (!work.isRecorded()) {
      return WorkSpan.NONE;
    }
    String template = "/" + target.template();
    WorkSpan span =
        work.request(method + " " + template)
            .tag("http.request.method", method)
            .tag("url.template", template)
            .tag("url.full", HttpKubeClient.withoutParameters(url))
            .tag("server.address", String.valueOf(url.getHost()))
            .tag("server.port", url.getPort());
    Matcher cluster = CLUSTER.matcher(url.getPath());
    if (cluster.find()) {
      span.about(LogFields.NONE.cluster(cluster.group("cluster")));
    }
    return span;
  }

  /** The request that this thread works on was answered. */
  static void answered(RequestCounters.Method method, int code) {
    WorkSpan span = WorkSpan.current().tag("http.response.status_code", code);
    // An object that is not there is an answer as good as any.
    if (code >= 400 && !(code == 404 && method == RequestCounters.Method.GET)) {
      span.failed(String.valueOf(code));
    }
  }

  /** The request that this thread works on has no answer. */
  static void unanswered() {
    WorkSpan.current().failed("no_answer");
  }
}
