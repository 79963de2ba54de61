package dev.mooring.console;

import static org.assertj.core.api.Assertions.assertThat;

import gg.jte.output.StringOutput;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of values in a page. */
class PageTest {
  private static final String MARKUP = "<q onclick='x'>\"&";
  private static final List<Integer> MANY = IntStream.range(0, 120).boxed().toList();

  @Test
  void escapesWhateverItShowsWhereverItIs() {
    Cell linked = Cell.link(MARKUP, Link.to("objects", Map.of("name", MARKUP)));
    String html =
        render(
            new Section.Statements(
                MARKUP, List.of(new Statement(Tone.BAD, MARKUP, List.of(MARKUP)))),
            new Section.Facts(MARKUP, List.of(new Section.Fact(MARKUP, Cell.of(Tone.BAD, MARKUP)))),
            new Section.Search(
                MARKUP,
                "objects",
                List.of(
                    Section.Field.text("text", MARKUP, MARKUP, MARKUP),
                    Section.Field.choice("state", MARKUP, List.of(MARKUP), MARKUP))),
            new Section.Table(
                MARKUP, MARKUP, List.of(MARKUP), List.of(List.of(linked, linked)), pages()));

    // Texts escape the brackets, attributes the quotes.
    assertThat(html)
        .doesNotContain("<q", "'x'>")
        .contains("&lt;q onclick='x'&gt;", "value=\"&lt;q onclick=&#39;x&#39;>&#34;&amp;\"");
  }

  private static Section.Pages pages() {
    return new Section.Pages(Optional.of("objects?text=" + MARKUP), Optional.of(MARKUP));
  }

  @Test
  void aScriptIsNoLink() {
    String html =
        render(
            new Section.Table(
                "T",
                "",
                List.of("A"),
                List.of(List.of(Cell.link("x", "javascript:alert(1)"))),
                Section.Pages.ONE));

    assertThat(html).doesNotContain("href=\"javascript");
  }

  @Test
  void pagesLinkToTheirNeighboursWithTheSameSearch() {
    var query = new Query(Map.of("text", "a b", "page", "2"));
    Paging<Integer> page = Paging.of(MANY, query);

    assertThat(page.items()).hasSize(50).startsWith(50);
    assertThat(page.note("Rules")).isEqualTo("Rules: 51 to 100 of 120");
    assertThat(page.links("rules", query).previous()).contains("rules?page=1&text=a+b");
    assertThat(page.links("rules", query).next()).contains("rules?page=3&text=a+b");
    assertThat(Paging.of(MANY, new Query(Map.of("page", "99"))).page()).isEqualTo(3);
    assertThat(Paging.of(MANY, new Query(Map.of("page", "-1"))).page()).isEqualTo(1);
    assertThat(Paging.of(MANY, new Query(Map.of("page", "x"))).page()).isEqualTo(1);
    assertThat(Paging.of(List.of(), query).note("Rules")).isEqualTo("Rules: 0");
  }

  @Test
  void parametersAreBounded() {
    assertThat(new Query(Map.of("text", "x".repeat(10_000))).text("text")).hasSize(Query.TEXT_MAX);
  }

  private static String render(Section... sections) {
    var html = new StringOutput();
    ConsoleServlet.Templates.ENGINE.render(
        "page.jte",
        new Page(
            MARKUP,
            MARKUP,
            List.of(new Page.Entry("", "Health"), new Page.Entry(MARKUP, MARKUP)),
            List.of(sections),
            Page.Login.BY_COOKIE,
            MARKUP,
            Instant.EPOCH),
        html);
    return html.toString();
  }
}
