package dev.mooring.syncagent.compat;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code --help} prints. */
final class Usage {
  static final String TEXT =
      """
      Usage: sync-agent-service [flags] [properties]

      Flags, those of api-syncagent. Started with any of them, the agent serves what they name and
      opens no other port, unless server.port is given:
      """
          + flags()
          + """

          Properties of Spring Boot, written --name=value, among them:
            --mooring.sync-agent.adoption                never, marked, unclaimed or always
            --mooring.sync-agent.api-group               API group in kcp where a projection has none
            --mooring.sync-agent.endpoint-auth           whether status and resync ask for a token
            --mooring.sync-agent.workers                 objects of one type worked on at a time
            --server.port                                port of health, status, resync and metrics
            --spring.profiles.active                     local, dev or prod
          Each flag is another name of a property. The command line wins over environment variables
          and files; of several values for one property the last one counts.
          """;

  private Usage() {}

  private static String flags() {
    return Stream.of(Flag.values())
        .map(flag -> "  %-34s %s%n".formatted("--" + flag.word(), flag.description()))
        .collect(Collectors.joining());
  }
}
