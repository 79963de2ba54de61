/** APIBindings, and the resources that they add to their logical clusters. */
package dev.mooring.sandbox.kcp.binding;
