package dev.mooring.depcontroller.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AuthorityLogTest {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(AuthorityLog.class);
  private static final ObjectKey RULE = new ObjectKey(new LogicalCluster("compute1"), "", "vm");
  private static final Authority MISNAMED =
      new Authority.Denied(Authority.Reason.DEPENDENT_EXPORT_NOT_FOUND, "correct it");

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final AuthorityLog log = new AuthorityLog();

  @BeforeEach
  void listen() {
    lines.start();
    LOG.addAppender(lines);
  }

  @AfterEach
  void leave() {
    LOG.detachAppender(lines);
  }

  @Test
  void namesARuleOnceAndAgainWhenThatChanges() {
    log.tell(Map.of(RULE, MISNAMED));
    log.tell(Map.of(RULE, MISNAMED));
    log.tell(Map.of(RULE, new Authority.Unknown("403")));
    log.tell(Map.of());
    log.tell(Map.of());
    log.tell(Map.of(RULE, MISNAMED));

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Rule compute1|vm does not count: DependentExportNotFound: correct it",
            "Rule compute1|vm counts, as nobody can tell whether it may: 403",
            "Rule compute1|vm is gone, or has authority now",
            "Rule compute1|vm does not count: DependentExportNotFound: correct it");
  }
}
