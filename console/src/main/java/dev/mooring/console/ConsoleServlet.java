package dev.mooring.console;

import dev.mooring.console.Page.Login;
import dev.mooring.runtime.spring.EndpointGuard;
import dev.mooring.runtime.spring.EndpointGuard.Refusal;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.http.ResponseCookie;

/**
 * Serves a {@link Console} as pages without scripts. Each request needs the permission that the
 * actuator endpoint with the same data needs. The token is in the header Authorization, as a proxy
 * sets it, or in a cookie: {@code POST login} with a pasted token sets it, {@code POST logout}
 * removes it.
 *
 * <p>The container makes the templates' engine with the first request.
 */
final class ConsoleServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);

  /** Served without a token. */
  private static final Map<String, String> FILES =
      Map.of("style.css", "text/css;charset=UTF-8", "icon.svg", "image/svg+xml");

  private static final String POLICY =
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'";

  /** Endpoint {@code status} has the data of the first page. */
  private static final String STATUS = "/actuator/status";

  private static final String AUTHORIZATION = "Authorization";

  private final transient Console console;
  private final transient EndpointGuard guard;
  private final transient HealthEndpoint health;
  private final transient InstantSource clock;
  private final transient TokenCookie cookies;
  private final String cookie;
  private final String replica;

  /** Loaded when the console is used for the first time. */
  static final class Templates {
    static final TemplateEngine ENGINE =
        TemplateEngine.createPrecompiled(
            null,
            ContentType.Html,
            ConsoleServlet.class.getClassLoader(),
            ConsoleServlet.class.getPackageName());
  }

  /**
   * @param replica name of this process
   */
  ConsoleServlet(
      Console console,
      EndpointGuard guard,
      HealthEndpoint health,
      InstantSource clock,
      String replica) {
    this.console = console;
    this.guard = guard;
    this.health = health;
    this.clock = clock;
    this.cookies = new TokenCookie(clock);
    // Browsers share cookies between the ports of a host.
    this.cookie = "mooring-" + console.service().toLowerCase(Locale.ROOT).replace(' ', '-');
    this.replica = replica;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getPathInfo();
    if (path == null) {
      // Relative links of pages need the slash.
      redirect(response, request.getRequestURI().replaceFirst("^.*/", "") + "/");
      return;
    }
    String name = path.substring(1);
    String file = FILES.get(name);
    if (file != null) {
      serve(name, file, response);
      return;
    }
    Optional<View> view = views().stream().filter(each -> each.path().equals(name)).findFirst();
    if (view.isEmpty()) {
      refuse(request, response, new Refusal(404, "", "there is no page " + name));
      return;
    }
    Optional<Refusal> refusal =
        guard.refusal(Optional.of(request), authorization(request), view.get().permission(), "get");
    if (refusal.isPresent()) {
      refuse(request, response, refusal.get());
      return;
    }
    write(request, response, 200, view.get().title(), sections(view.get(), query(request)));
  }

  private static List<Section> sections(View view, Query query) {
    try {
      return view.sections().apply(query);
    } catch (RuntimeException e) {
      LOG.warn("Page {} of the console failed", view.path(), e);
      return List.of(problem("The page cannot be shown: " + e.getMessage()));
    }
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getPathInfo();
    if (!isSameOrigin(request)) {
      String problem = "the form was not sent by this page: log in on the page itself";
      refuse(request, response, new Refusal(403, "", problem));
    } else if ("/login".equals(path)) {
      logIn(request, response);
    } else if ("/logout".equals(path)) {
      response.addHeader("Set-Cookie", cookie(request, "", 0).toString());
      redirect(response, ".");
    } else {
      response.setHeader("Allow", "GET, HEAD");
      refuse(request, response, new Refusal(405, "", "the console is read-only"));
    }
  }

  private void logIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String token = Optional.ofNullable(request.getParameter("token")).orElse("").strip();
    Optional<Refusal> refusal =
        token.length() > TokenCookie.TOKEN_MAX
            ? Optional.of(
                new Refusal(
                    400,
                    "",
                    "the token has more than %d characters: use a proxy that sends it as header %s"
                        .formatted(TokenCookie.TOKEN_MAX, AUTHORIZATION)))
            : guard.refusal(Optional.empty(), "Bearer " + token, STATUS, "get");
    if (refusal.isPresent()) {
      refuse(request, response, refusal.get());
      return;
    }
    response.addHeader("Set-Cookie", cookie(request, cookies.seal(token), -1).toString());
    redirect(response, ".");
  }

  /** Without a path it counts for this directory, under any prefix of a proxy. */
  private ResponseCookie cookie(HttpServletRequest request, String value, long maxAgeSeconds) {
    return ResponseCookie.from(cookie, value)
        .httpOnly(true)
        .secure(
            request.isSecure() || "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto")))
        .sameSite("Strict")
        .maxAge(maxAgeSeconds)
        .build();
  }

  private static boolean isSameOrigin(HttpServletRequest request) {
    boolean byBrowser =
        request.getHeader("Sec-Fetch-Site") != null || request.getHeader("Origin") != null;
    return byBrowser && !EndpointGuard.isCrossSite(request);
  }

  private List<View> views() {
    Function<Query, List<Section>> sections =
        _ ->
            List.of(
                ConsoleHealth.section(health),
                new Section.Statements("At work", console.summary()));
    return Stream.concat(
            Stream.of(new View("", "Health", STATUS, sections)), console.views().stream())
        .toList();
  }

  private String authorization(HttpServletRequest request) {
    String header = request.getHeader(AUTHORIZATION);
    return header != null ? header : token(request).map(token -> "Bearer " + token).orElse("");
  }

  private Optional<String> token(HttpServletRequest request) {
    Cookie[] sent = request.getCookies();
    return sent == null
        ? Optional.empty()
        : Stream.of(sent)
            .filter(each -> each.getName().equals(cookie))
            .map(Cookie::getValue)
            .map(cookies::open)
            .flatMap(Optional::stream)
            .findFirst();
  }

  private Login login(HttpServletRequest request) {
    if (!guard.asksForTokens() || request.getHeader(AUTHORIZATION) != null) {
      return Login.NOT_NEEDED;
    }
    return token(request).isPresent() ? Login.BY_COOKIE : Login.ASKED;
  }

  private static Query query(HttpServletRequest request) {
    var parameters = new LinkedHashMap<String, String>();
    request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
    return new Query(parameters);
  }

  private static Section problem(String text) {
    return new Section.Statements("Problem", List.of(Statement.of(Tone.BAD, text)));
  }

  /** Says why, except to a caller who sent no token: the page asks for one. */
  private void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal)
      throws IOException {
    if (!refusal.challenge().isEmpty()) {
      response.setHeader("WWW-Authenticate", refusal.challenge());
    }
    boolean first =
        refusal.status() == HttpServletResponse.SC_UNAUTHORIZED
            && login(request) == Login.ASKED
            && !"POST".equals(request.getMethod());
    write(
        request,
        response,
        refusal.status(),
        switch (refusal.status()) {
          case HttpServletResponse.SC_UNAUTHORIZED -> "Log in";
          case HttpServletResponse.SC_NOT_FOUND -> "Not found";
          case HttpServletResponse.SC_FORBIDDEN, HttpServletResponse.SC_METHOD_NOT_ALLOWED ->
              "Not permitted";
          default -> "Not available";
        },
        first
            ? List.of()
            : List.of(problem("The request was refused: " + refusal.message() + ".")));
  }

  private void write(
      HttpServletRequest request,
      HttpServletResponse response,
      int status,
      String title,
      List<Section> sections)
      throws IOException {
    Login login = login(request);
    var page =
        new Page(
            console.service(),
            title,
            login == Login.ASKED
                ? List.of()
                : views().stream().map(each -> new Page.Entry(each.path(), each.title())).toList(),
            sections,
            login,
            replica,
            clock.instant());
    var html = new Utf8ByteOutput();
    Templates.ENGINE.render("page.jte", page, html);
    secure(response);
    response.setHeader("Cache-Control", "no-store");
    response.setStatus(status);
    response.setContentType("text/html;charset=UTF-8");
    response.setContentLength(html.getContentLength());
    html.writeTo(response.getOutputStream());
  }

  private void serve(String name, String type, HttpServletResponse response) throws IOException {
    secure(response);
    response.setHeader("Cache-Control", "no-cache");
    response.setContentType(type);
    try (InputStream file = ConsoleServlet.class.getResourceAsStream(name)) {
      if (file != null) {
        file.transferTo(response.getOutputStream());
      }
    }
  }

  static void redirect(HttpServletResponse response, String to) {
    secure(response);
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader("Location", to);
  }

  private static void secure(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("X-Content-Type-Options", "nosniff");
    // With no-referrer browsers would send forms without their origin.
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  }
}
