package dev.mooring.console.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.runtime.testing.ManagementContract;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A service's console in a real browser, with many rules or objects. With {@code
 * -Dconsole.screenshots=DIRECTORY} it also writes a picture of each page.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public abstract class ConsoleBrowserContract {
  /** What a browser lays out at once. */
  private static final int ELEMENTS_MAX = 2_500;

  private static final String FOCUSABLE =
      "a[href], button, input, select, [tabindex]:not([tabindex='-1'])";

  private Chromium browser;
  private ConfigurableApplicationContext running;

  /** Name of the service in the names of pictures. */
  protected abstract String service();

  /** Links of the pages, relative to the console; the first is empty. */
  protected abstract List<String> pages();

  @BeforeAll
  final void startsBrowser(@TempDir Path profile) throws Exception {
    assumeTrue(Chromium.program().isPresent(), "skipped: no chromium (it is not on PATH)");
    running = start();
    browser = Chromium.start(Chromium.program().get(), profile);
    browser.resize(1200, 900);
  }

  /** The running service; its guard knows {@link ManagementContract#USERS}. */
  protected abstract ConfigurableApplicationContext start() throws Exception;

  @AfterAll
  final void stopsBrowserAndService() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (running != null) {
      running.close();
    }
    cleanUp();
  }

  /** Stops what the service needed. */
  protected void cleanUp() {}

  private URI console() {
    return URI.create(
        "http://127.0.0.1:"
            + running.getEnvironment().getProperty("local.management.port")
            + "/console/");
  }

  @Test
  @Order(1)
  void aTokenIsPastedByKeyboardAlone() throws Exception {
    browser.open(console().resolve("/"));
    assertAccessible("the login");
    assertThat(focusedAfterTab()).isEqualTo("Skip to content");
    assertThat(focusedAfterTab()).isEqualTo("token");
    browser.type("readers-token");

    browser.pressAndLoad("Enter");

    assertThat(browser.evaluate("document.querySelector('h1').textContent")).isEqualTo("Health");
    assertThat(browser.evaluate("document.cookie")).isEqualTo("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  @Order(2)
  void everyPageIsAccessible(String scheme) throws Exception {
    browser.prefer(scheme);
    for (String page : pages()) {
      browser.open(console().resolve(page));
      assertAccessible(page + " in " + scheme);
      assertThat(
              browser.evaluate(
                  "[...document.querySelectorAll('.scroll')]"
                      + ".every(e => e.scrollWidth <= e.clientWidth)"))
          .as(page + ": every table fits its window")
          .isEqualTo(true);
      picture(page, scheme);
    }
    String background =
        String.valueOf(browser.evaluate("getComputedStyle(document.body).backgroundColor"));
    assertThat(background.equals("rgb(255, 255, 255)")).isEqualTo(scheme.equals("light"));
  }

  @Test
  @Order(3)
  void everyControlIsReachedInOrderAndShowsThatItHasTheFocus() throws Exception {
    for (String page : pages()) {
      browser.open(console().resolve(page));
      var expected =
          (Long)
              browser.evaluate(
                  "[...document.querySelectorAll(\"%s\")].map((e, i) => e.dataset.order = i).length"
                      .formatted(FOCUSABLE));

      for (long i = 0; i < expected; i++) {
        browser.press("Tab");
        assertThat(
                browser.evaluate(
                    "document.activeElement.dataset.order + ' ' + (function(e) {"
                        + "const r = e.matches('svg a') && e.querySelector('rect');"
                        + "return r ? getComputedStyle(r).strokeWidth === '3px'"
                        + " : getComputedStyle(e).outlineStyle === 'solid' })"
                        + "(document.activeElement)"))
            .as(page + ": " + browser.evaluate("document.activeElement.outerHTML.slice(0, 200)"))
            .isEqualTo(i + " true");
      }
    }
  }

  @Test
  @Order(4)
  void everyPageIsSmallAndFitsAPhone() throws Exception {
    browser.resize(360, 800);
    for (String page : pages()) {
      browser.open(console().resolve(page));
      assertThat((Long) browser.evaluate("document.querySelectorAll('*').length"))
          .as(page)
          .isLessThan(ELEMENTS_MAX);
      assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
          .as(page + " has no horizontal scroll bar")
          .isEqualTo(true);
    }
    browser.resize(1200, 900);
  }

  @Test
  @Order(5)
  void nothingIsLoadedFromElsewhereAndNoPolicyIsViolated() {
    assertThat(browser.requests())
        .isNotEmpty()
        .allSatisfy(url -> assertThat(url).startsWith(console().resolve("/").toString()));
    assertThat(browser.complaints()).filteredOn(line -> !line.contains("status of 401")).isEmpty();
  }

  private String focusedAfterTab() throws Exception {
    browser.press("Tab");
    return String.valueOf(
        browser.evaluate("document.activeElement.id || document.activeElement.textContent"));
  }

  private void assertAccessible(String page) throws Exception {
    browser.evaluate(axe());
    assertThat(
            browser.evaluate(
                "axe.run().then(found => found.violations.flatMap(each =>"
                    + " each.nodes.map(node => each.id + ': ' + node.html + ' '"
                    + " + node.failureSummary)).join('\\n'))"))
        .as(page)
        .isEqualTo("");
  }

  private static String axe() throws IOException {
    try (InputStream script = ConsoleBrowserContract.class.getResourceAsStream("/axe.min.js")) {
      // As an expression of no value: the object itself cannot be sent.
      return new String(script.readAllBytes(), StandardCharsets.UTF_8) + "; 0";
    }
  }

  private void picture(String page, String scheme) throws Exception {
    String directory = System.getProperty("console.screenshots", "");
    boolean searched = page.contains("?") && !page.contains("name=");
    if (!directory.isEmpty() && !searched) {
      String name = page.replaceAll("\\?.*", "");
      var parts = new ArrayList<>(List.of(service(), name.isEmpty() ? "health" : name));
      if (page.contains("name=")) {
        parts.add("one");
      }
      parts.add(scheme);
      Files.write(
          Files.createDirectories(Path.of(directory)).resolve(String.join("-", parts) + ".png"),
          browser.screenshot());
    }
  }
}
