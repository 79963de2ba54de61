package dev.mooring.cli.live;

/** The services of Mooring, in the order in which commands list them. */
public enum Service {
  agent("sync agent", "--agent-url"),
  controller("dependency controller", "--controller-url"),
  webhook("dependency webhook", "--webhook-url");

  private final String title;
  private final String option;

  Service(String title, String option) {
    this.title = title;
    this.option = option;
  }

  /** As messages name it. */
  public String title() {
    return title;
  }

  /** That names its URL. */
  public String option() {
    return option;
  }
}
