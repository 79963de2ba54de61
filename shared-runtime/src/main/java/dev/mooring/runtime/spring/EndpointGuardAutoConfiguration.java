package dev.mooring.runtime.spring;

import dev.mooring.runtime.access.AccessReviewer;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Guards the management endpoints of an application that has an {@link AccessReviewer}. Without one
 * they are open, for local use, except to pages of other sites.
 *
 * <p>Advisors are applied in the order of their registration, and the last one is the outermost.
 * The guard is registered after the one that caches answers, so a cached answer is guarded, too.
 */
@AutoConfiguration(after = EndpointAutoConfiguration.class)
public class EndpointGuardAutoConfiguration {
  @Bean
  @ConditionalOnBean(AccessReviewer.class)
  OperationInvokerAdvisor endpointGuard(AccessReviewer reviewer) {
    return new EndpointGuard(reviewer);
  }

  @Bean
  @ConditionalOnMissingBean(AccessReviewer.class)
  OperationInvokerAdvisor browserGuard() {
    return new BrowserGuard();
  }
}
