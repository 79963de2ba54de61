package dev.mooring.demo;

/** Everything of the story that happens before its consumers act: the ground for tests. */
public final class Providers {
  private Providers() {}

  /** Makes the workspaces, starts the services, exports and binds all APIs, writes the rule. */
  public static void prepare(Stage stage, Narrator narrator, Kubectl kubectl) {
    new SetUpChapter(stage, narrator, kubectl).tell();
    new CertificateChapter(stage, narrator, kubectl).prepare();
    new DependencyChapter(stage, narrator, kubectl).prepare();
  }

  /** As {@link #prepare}, without anything that only the sync agent needs. */
  public static void prepareProtection(Stage stage, Narrator narrator, Kubectl kubectl) {
    new SetUpChapter(stage, narrator, kubectl).tellOfProtection();
    new DependencyChapter(stage, narrator, kubectl).prepare();
  }

  /** Lets the dependency controller judge the rules of, and about, one more provider. */
  public static void grant(Kubectl kubectl, Stage stage, Place provider) {
    new Grants(stage, kubectl).provider(provider);
  }

  /** Binds an export of another workspace of the stage, accepts its claims, waits until bound. */
  public static void bind(
      Kubectl kubectl, Stage stage, Place consumer, Place provider, String export) {
    new Bindings(kubectl).bind(consumer, provider, stage, export);
  }
}
