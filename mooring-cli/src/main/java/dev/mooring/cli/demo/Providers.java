package dev.mooring.cli.demo;

/** Everything of the story that happens before its consumers act: tests start from it. */
public final class Providers {
  private Providers() {}

  /** Makes the workspaces, starts the services, exports and binds all APIs, writes the rule. */
  public static void prepare(DemoEnvironment environment, Narrator narrator, Kubectl kubectl) {
    new SetUpChapter(environment, narrator, kubectl).tell();
    new CertificateChapter(environment, narrator, kubectl).prepare();
    new DependencyChapter(environment, narrator, kubectl).prepare();
  }

  /** As {@link #prepare}, without anything that only the sync agent needs. */
  public static void prepareProtection(
      DemoEnvironment environment, Narrator narrator, Kubectl kubectl) {
    new SetUpChapter(environment, narrator, kubectl).tellOfProtection();
    new DependencyChapter(environment, narrator, kubectl).prepare();
  }

  /** Lets the dependency controller judge the rules of, and about, one more provider. */
  public static void grant(Kubectl kubectl, DemoEnvironment environment, ClusterClient provider) {
    new Grants(environment, kubectl).provider(provider);
  }

  /**
   * Binds an export of another workspace of the environment, accepts its claims, waits until bound.
   */
  public static void bind(
      Kubectl kubectl,
      DemoEnvironment environment,
      ClusterClient consumer,
      ClusterClient provider,
      String export) {
    new Bindings(kubectl).bind(consumer, provider, environment, export);
  }
}
