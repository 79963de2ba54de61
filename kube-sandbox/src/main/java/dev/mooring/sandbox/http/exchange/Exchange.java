package dev.mooring.sandbox.http.exchange;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.GoJson;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.security.authentication.Credentials;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.jspecify.annotations.Nullable;

/** One HTTP request and its answer. Blocks its (virtual) thread for reading and writing. */
public final class Exchange {
  /** Only larger answers are compressed, as in Kubernetes. */
  private static final int UNCOMPRESSED_MAX = 128 * 1024;

  /** What Go sends with every text that says that a request failed. */
  public static final Map<String, String> NO_SNIFFING = Map.of("X-Content-Type-Options", "nosniff");

  private static final String GZIP = "gzip";
  private static final Pattern UNCLEAN = Pattern.compile("//|/\\.{1,2}(?=/|$)");
  // kcp reads a segment behind two slashes as a host.
  private static final Pattern LOST_SEGMENT = Pattern.compile("^(/clusters/[^/]+)//[^/]+");
  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

  /** What Go reads as true. */
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

  /** As the API server: larger bodies could not be stored anyway. */
  static final int BODY_MAX = 3 * 1024 * 1024;

  private final Request request;
  private final Response response;
  private final String path;
  private final Map<String, List<String>> query;
  private final List<List<String>> warnings = new ArrayList<>();
  // Null until they are asked for.
  private @Nullable List<String> segments;
  private UnaryOperator<UserInfo> admission = UnaryOperator.identity();
  private Predicate<Fault> faults = fault -> false;
  private boolean lost;

  public Exchange(Request request, Response response) {
    this.request = request;
    this.response = response;
    this.path = LOST_SEGMENT.matcher(request.getHttpURI().getPath()).replaceFirst("$1");
    this.query = splitQuery(request.getHttpURI().getQuery());
  }

  /**
   * From now on the exchange is as a proxy forwards it.
   *
   * @param to the segments of the path
   * @param admitted the user as the proxy shows it; throws {@link ApiFailure} for one it refuses
   */
  public void forward(List<String> to, UnaryOperator<UserInfo> admitted) {
    segments = List.copyOf(to);
    admission = admitted;
  }

  /** The user whom the credentials name, as far as the proxy before this server admits them. */
  public UserInfo admit(UserInfo authenticated) {
    return admission.apply(authenticated);
  }

  public Request request() {
    return request;
  }

  public Response response() {
    return response;
  }

  public String method() {
    return request.getMethod();
  }

  /**
   * Of the path, decoded; a trailing slash leaves none. Throws {@link ApiFailure} 400 for a path
   * that cannot be decoded.
   */
  public List<String> segments() {
    List<String> known = segments;
    if (known == null) {
      // An escaped slash separates like any other, as in Go.
      known =
          Arrays.stream(decoded(path.replace("+", "%2B")).split("/"))
              .filter(segment -> !segment.isEmpty())
              .toList();
      segments = known;
    }
    return known;
  }

  /** Whether the path is decoded as Go's router writes it: without empty segments and dots. */
  public boolean hasCleanPath() {
    return !UNCLEAN.matcher(decoded(path)).find();
  }

  /** Whether the path ends with a slash behind its last segment. */
  public boolean endsWithSlash() {
    return path.endsWith("/");
  }

  /** Of the URL as it was sent, with the question mark; empty if there is none. */
  public String rawQuery() {
    String raw = request.getHttpURI().getQuery();
    return raw == null ? "" : "?" + raw;
  }

  /** The first value; empty if there is none. */
  public String query(String name) {
    return all(name).isEmpty() ? "" : all(name).getFirst();
  }

  /** All values, in their order. */
  public List<String> all(String name) {
    return query.getOrDefault(name, List.of());
  }

  /** Narrows the field selector of the query. */
  public void select(String term) {
    String theirs = query("fieldSelector");
    query.put("fieldSelector", List.of(theirs.isEmpty() ? term : theirs + "," + term));
  }

  /** Of a Status; empty if the client accepts none that there is. */
  public Optional<AcceptHeader.Format> failureFormat() {
    return AcceptHeader.ofFailure(header(HttpHeader.ACCEPT));
  }

  /** Whether a flag of the query is set: as Kubernetes reads it, by all but 0 and false. */
  public boolean flag(String name) {
    String value = query(name);
    return has(name) && !value.equals("0") && !value.equalsIgnoreCase("false");
  }

  public String header(HttpHeader header) {
    return header(header.asString());
  }

  public String header(String name) {
    String value = request.getHeaders().get(name);
    return value == null ? "" : value;
  }

  /** All values of a header that may come in several lines, joined. */
  public String headers(HttpHeader header) {
    return String.join(",", request.getHeaders().getValuesList(header));
  }

  public Credentials credentials() {
    String[] authorization = header(HttpHeader.AUTHORIZATION).strip().split(" ", 3);
    Optional<String> token =
        authorization.length > 1 && authorization[0].equalsIgnoreCase("Bearer")
            ? Optional.of(authorization[1]).filter(text -> !text.isEmpty())
            : Optional.empty();
    var impersonation = new HashMap<String, List<String>>();
    for (HttpField field : request.getHeaders()) {
      String name = field.getName().toLowerCase(Locale.ROOT);
      if (name.startsWith("impersonate-")) {
        impersonation.computeIfAbsent(name, _ -> new ArrayList<>()).add(field.getValue());
      }
    }
    return new Credentials(certificates(), token, impersonation);
  }

  private List<X509Certificate> certificates() {
    return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                instanceof EndPoint.SslSessionData session
            && session.peerCertificates() != null
        ? List.of(session.peerCertificates())
        : List.of();
  }

  /** Throws {@link ApiFailure} 413. */
  public byte[] body() {
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] body = in.readNBytes(BODY_MAX + 1);
      if (body.length > BODY_MAX) {
        throw ApiFailure.of(
            413, "RequestEntityTooLarge", "Request entity too large: limit is " + BODY_MAX, null);
      }
      return body;
    } catch (IOException e) {
      throw ApiFailure.badRequest("cannot read the request's body: " + e.getMessage());
    }
  }

  /** From now on the exchange may go wrong in these ways. */
  public void injectFaults(Predicate<Fault> fromNowOn) {
    faults = fromNowOn;
  }

  /** Whether the fault befalls the exchange, this time. */
  public boolean injected(Fault fault) {
    return faults.test(fault);
  }

  /** The answer will not reach the client, unless it says that the request failed. */
  public void lose() {
    lost = true;
  }

  /** Warnings for the answer's headers, also those that are added to the list yet. */
  public void warn(List<String> texts) {
    warnings.add(texts);
  }

  /** Answers with a status alone. */
  public void answerNothing(int status, Map<String, String> headers) throws IOException {
    answer(status, "", headers, new byte[0]);
  }

  public void answerText(int status, Map<String, String> headers, String text) throws IOException {
    answer(status, "text/plain; charset=utf-8", headers, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Answers with an object, whose JSON is indented for people who look at it. */
  public void answerObject(int status, AcceptHeader.Format format, byte[] body) throws IOException {
    answerObject(status, format.mediaType(), Map.of(), body);
  }

  /** As {@link #answerObject(int, AcceptHeader.Format, byte[])}, with more headers. */
  public void answerObject(int status, String contentType, Map<String, String> headers, byte[] body)
      throws IOException {
    answerObject(status, contentType, headers, Body.of(body));
  }

  /**
   * As {@link #answerObject(int, AcceptHeader.Format, byte[])}, with a list in parts, which are
   * sent as they are.
   */
  public void answerList(AcceptHeader.Format format, Body body) throws IOException {
    answerObject(200, format.mediaType(), Map.of(), body);
  }

  private void answerObject(int status, String contentType, Map<String, String> headers, Body body)
      throws IOException {
    boolean indented = isJson(contentType) && isReadByPeople();
    answer(status, contentType, headers, indented ? Body.of(GoJson.indented(body.whole())) : body);
  }

  private static boolean isJson(String contentType) {
    return contentType.startsWith("application/json");
  }

  /** As {@code apiserver/pkg/endpoints/handlers/negotiation} finds out. */
  private boolean isReadByPeople() {
    String pretty = query("pretty");
    if (!pretty.isEmpty()) {
      return TRUE.contains(pretty);
    }
    String agent = header(HttpHeader.USER_AGENT);
    return agent.startsWith("curl")
        || agent.startsWith("Wget")
        || agent.startsWith("Mozilla/5.0")
        || header(HttpHeader.ACCEPT).contains("pretty=1");
  }

  public void answer(int status, String contentType, Map<String, String> headers, byte[] body)
      throws IOException {
    answer(status, contentType, headers, Body.of(body));
  }

  private void answer(int status, String contentType, Map<String, String> headers, Body body)
      throws IOException {
    if (lost && status < 400) {
      request.getConnectionMetaData().getConnection().getEndPoint().close();
      return;
    }
    start(status, contentType, headers);
    Body sent = body;
    if (body.length() > UNCOMPRESSED_MAX && takesGzip()) {
      sent = body.compressed();
      response.getHeaders().put(HttpHeader.CONTENT_ENCODING, GZIP);
      response.getHeaders().put(HttpHeader.VARY, HttpHeader.ACCEPT_ENCODING.asString());
    }
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, sent.length());
    if (sent.parts().size() == 1) {
      write(sent.parts().getFirst(), true);
    } else {
      sent.send(response);
    }
  }

  private boolean takesGzip() {
    return Arrays.stream(headers(HttpHeader.ACCEPT_ENCODING).split(","))
        .anyMatch(encoding -> encoding.strip().equals(GZIP));
  }

  /** Answers with events; with nothing, where the client would like them over WebSocket. */
  public void answerEvents(AcceptHeader.Format format, EventSink.Writer writer) throws IOException {
    if (header(HttpHeader.UPGRADE).equalsIgnoreCase("websocket")) {
      // What fabric8's client takes for a server without WebSockets: it watches over HTTP then.
      answerNothing(200, Map.of());
      return;
    }
    // Read to its end, so that nothing of it looks as if the client went on.
    body();
    start(200, format.streamType(), Map.of());
    OutputStream out = Content.Sink.asOutputStream(response);
    out.flush();
    writer.write(new EventSink(request, out, format));
  }

  private void start(int status, String contentType, Map<String, String> headers) {
    response.setStatus(status);
    if (!contentType.isEmpty()) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    }
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
    headers.forEach((name, value) -> response.getHeaders().put(name, value));
    warnings.stream()
        .flatMap(List::stream)
        .distinct()
        .forEach(text -> response.getHeaders().add("Warning", "299 - \"" + quoted(text) + "\""));
  }

  private void write(ByteBuffer bytes, boolean last) throws IOException {
    try (Blocker.Callback done = Blocker.callback()) {
      response.write(last, bytes, done);
      done.block();
    }
  }

  /** As RFC 9110 quotes; a header cannot hold line breaks. */
  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("[\\r\\n]+", " ");
  }

  private static Map<String, List<String>> splitQuery(@Nullable String raw) {
    var query = new LinkedHashMap<String, List<String>>();
    if (raw != null) {
      for (String pair : raw.split("&")) {
        int at = pair.indexOf('=');
        // As Go reads a query: what cannot be read is not there.
        if (!pair.isEmpty() && pair.indexOf(';') < 0 && isDecodable(pair)) {
          query
              .computeIfAbsent(
                  decoded(at < 0 ? pair : pair.substring(0, at)), _ -> new ArrayList<>())
              .add(at < 0 ? "" : decoded(pair.substring(at + 1)));
        }
      }
    }
    return query;
  }

  private static boolean isDecodable(String text) {
    return !BAD_ESCAPE.matcher(text).find();
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw ApiFailure.badRequest("invalid URL escape \"" + text + "\"");
    }
  }

  /** Whether the query names it, with or without a value. */
  public boolean has(String name) {
    return query.containsKey(name);
  }
}
