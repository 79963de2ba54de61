/** Users of other issuers: OpenID Connect tokens, as Kubernetes reads them. */
package dev.mooring.sandbox.security.oidc;
