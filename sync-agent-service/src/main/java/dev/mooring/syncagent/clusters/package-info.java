/** Which workspaces there are to serve, and what is seen of them and of the service cluster. */
package dev.mooring.syncagent.clusters;
