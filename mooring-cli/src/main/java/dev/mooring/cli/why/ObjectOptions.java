package dev.mooring.cli.why;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.live.Management;
import dev.mooring.cli.live.ManagementUrls;
import dev.mooring.cli.live.Service;
import dev.mooring.cli.live.ServiceClusterOptions;
import dev.mooring.cli.live.TokenOptions;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.DeletionFacts;
import dev.mooring.cli.why.decide.SyncCauses;
import dev.mooring.cli.why.decide.SyncFacts;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which object of a consumer a command is about, and where it reads. */
public final class ObjectOptions {
  @Parameters(
      index = "0",
      paramLabel = "TYPE",
      description = "Plural, singular, short name or kind, with or without .GROUP; or TYPE/NAME.")
  private String type;

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Of the object.")
  private @Nullable String name;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Of the object, if its type has namespaces (default: ${DEFAULT-VALUE}).")
  private String namespace = "default";

  @Mixin private LiveOptions live;
  @Mixin private ServiceClusterOptions serviceCluster;
  @Mixin private ManagementUrls management;
  @Mixin private TokenOptions token;
  @Mixin private OutputOptions output;

  /** What was read; the clients are open until the question is answered. */
  record Read(SyncFacts sync, Function<SyncFacts, DeletionFacts> deletion) {}

  /** Reads and explains; returns the exit status. */
  int answer(Function<Read, Explanation> question) {
    String[] named = named();
    Optional<LiveOptions.Server> service = serviceCluster.server(live);
    try (LiveOptions.Server kcp = live.server()) {
      var reader =
          new SyncReader(
              kcp.client(),
              workspace(kcp),
              service.map(LiveOptions.Server::client),
              asked(Service.agent));
      return question
          .apply(
              new Read(reader.read(named[0], namespace, named[1]), facts -> deletion(kcp, facts)))
          .print(output);
    } finally {
      service.ifPresent(LiveOptions.Server::close);
    }
  }

  private String[] named() {
    String[] both = name == null ? type.split("/", 2) : new String[] {type, name};
    if (both.length < 2 || both[1].isEmpty()) {
      throw CommandFailure.badInput("name the object: TYPE NAME, or TYPE/NAME");
    }
    return both;
  }

  private DeletionFacts deletion(LiveOptions.Server kcp, SyncFacts facts) {
    return new DeletionReader(
            kcp.client(),
            path -> kcp.connection().client(path),
            asked(Service.webhook),
            facts.type().orElseThrow(),
            facts.object().orElseThrow())
        .read(facts.bindings().value().orElse(List.of()));
  }

  /** Throws {@link CommandFailure} if the object does not exist. */
  static SyncFacts existing(SyncFacts facts) {
    if (facts.type().isPresent() && facts.object().isEmpty()) {
      Finding finding = SyncCauses.first(facts).orElseThrow().finding();
      throw CommandFailure.badInput(finding.message() + "; " + finding.remedy().fix());
    }
    return facts;
  }

  private Optional<Management> asked(Service which) {
    return management.find(which).map(found -> token.authorized(found, live, serviceCluster));
  }

  /** Its path as the URL has it. */
  private static String workspace(LiveOptions.Server kcp) {
    String url = kcp.client().url().toString();
    int at = url.indexOf("/clusters/");
    return at < 0 ? url : "workspace " + url.substring(at + "/clusters/".length());
  }
}
