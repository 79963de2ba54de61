package dev.mooring.runtime.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineFramerTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 100})
  void findsTheSameLinesHoweverTheStreamIsCut(int chunk) throws Exception {
    byte[] stream = "größe\n\nb\nccc\nrest".getBytes(UTF_8);
    var framer = new HttpWatch.LineFramer(10);
    var lines = new ArrayList<String>();

    for (int at = 0; at < stream.length; at += chunk) {
      ByteBuffer part = ByteBuffer.wrap(stream, at, Math.min(chunk, stream.length - at));
      framer.lines(part).forEach(line -> lines.add(new String(line, UTF_8)));
    }

    assertThat(lines).isEqualTo(List.of("größe", "b", "ccc"));
    assertThat(framer.withinLine()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"12345678901, true", "1234567890, false"})
  void refusesWhatIsLongerThanItsBound(String text, boolean tooLong) throws Exception {
    var framer = new HttpWatch.LineFramer(10);
    ByteBuffer line = ByteBuffer.wrap((text + "\n").getBytes(UTF_8));

    if (tooLong) {
      assertThatThrownBy(() -> framer.lines(line)).hasMessageContaining("longer than 10 bytes");
    } else {
      assertThat(framer.lines(line)).hasSize(1);
    }
  }
}
