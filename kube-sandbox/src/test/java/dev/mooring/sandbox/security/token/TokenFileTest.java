package dev.mooring.sandbox.security.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  @TempDir Path directory;

  @Test
  void readsUsersWithAndWithoutGroups() throws Exception {
    Path file =
        file(
            """
            alice-token,alice,uid-alice,"team"
            bob-token, bob , uid-bob,"team, others"

            carol-token,carol,uid-carol
            """);

    assertThat(TokenFile.read(file))
        .isEqualTo(
            Map.of(
                "alice-token", new UserInfo("alice", "uid-alice", List.of("team"), Map.of()),
                "bob-token", new UserInfo("bob", "uid-bob", List.of("team", "others"), Map.of()),
                "carol-token", new UserInfo("carol", "uid-carol", List.of(), Map.of())));
  }

  @Test
  void quotesInsideAFieldAreDoubled() throws Exception {
    assertThat(TokenFile.read(file("t,\"the \"\"real\"\" one\",u")))
        .containsEntry("t", new UserInfo("the \"real\" one", "u", List.of(), Map.of()));
  }

  @Test
  void shortLineIsNamedWithoutItsToken() throws Exception {
    Path file = file("t,alice,u\nsecret-token,bob\n");

    assertThatThrownBy(() -> TokenFile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line 2: expected token,user,uid")
        .hasMessageNotContaining("secret-token");
  }

  private Path file(String content) throws IOException {
    return Files.writeString(directory.resolve("tokens.csv"), content);
  }
}
