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
}
