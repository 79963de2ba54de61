package dev.mooring.sandbox.junit;

import java.nio.file.Path;

/** A kcp that was there before the tests and stays. */
final class RunningServer implements KcpServer {
  private final Path kubeconfig;
  private final KcpConnection admin;
  private final KcpClient client;

  RunningServer(Path kubeconfig) {
    this.kubeconfig = kubeconfig;
    KcpConnection current = new KubeconfigReader(kubeconfig).read();
    this.admin = current.at(current.server());
    this.client = new KcpClient(admin);
    KcpClient.Answer answer = client.get("/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces");
    if (!answer.isSuccess()) {
      client.close();
      throw new KcpProblem(
          "the user of %s cannot list the workspaces of root at %s: %s. Tests need a user who may"
                  .formatted(kubeconfig, admin.url(), answer.message())
              + " create workspaces there");
    }
  }

  @Override
  public KcpConnection admin() {
    return admin;
  }

  @Override
  public KcpClient client() {
    return client;
  }

  @Override
  public Path kubeconfigFile() {
    return kubeconfig;
  }

  @Override
  public String afterwards() {
    return "They stay until you delete them.";
  }

  @Override
  public void close() {
    client.close();
  }
}
