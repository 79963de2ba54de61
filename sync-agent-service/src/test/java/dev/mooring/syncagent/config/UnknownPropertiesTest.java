package dev.mooring.syncagent.config;

import dev.mooring.runtime.testing.UnknownPropertiesContract;
import dev.mooring.syncagent.SyncAgentApplication;

class UnknownPropertiesTest extends UnknownPropertiesContract {
  @Override
  protected Class<?> application() {
    return SyncAgentApplication.class;
  }

  @Override
  protected String service() {
    return "sync-agent";
  }

  @Override
  protected String property() {
    return "published-resource-selector";
  }

  @Override
  protected String[] required() {
    return new String[] {
      "--server.port=0",
      "--mooring.sync-agent.kcp-kubeconfig=missing",
      "--mooring.sync-agent.apiexportendpointslice-ref=certs"
    };
  }
}
