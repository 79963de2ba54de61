package dev.mooring.acceptance.reference;

import dev.mooring.acceptance.FaultTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/how-to/find-causes.md lists the faults that FaultTableIT makes. */
class FaultTableReferenceTest {
  @Test
  void listsWhatTheCommandAnswers() throws IOException {
    var lines =
        new ArrayList<>(List.of("| Fault | To the consumer | To the provider |", "|---|---|---|"));
    lines.addAll(FaultTable.rows());

    new GeneratedTable("../how-to/find-causes.md", "faults").mustBe(lines);
  }
}
