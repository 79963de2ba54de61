package dev.mooring.syncagent.publish;

import dev.mooring.syncagent.sync.decide.SyncState;

/** Which of several replicas publishes, and what it knows of the others. Thread-safe. */
public interface Publisher {
  /** Whether this one writes schemas, the export and conditions; the others only read them. */
  boolean publishes();

  /** How far the objects of a PublishedResource are synced by all replicas together. */
  SyncState merged(String publishedName, SyncState own);

  /** Of an agent without further replicas. */
  Publisher ALONE =
      new Publisher() {
        @Override
        public boolean publishes() {
          return true;
        }

        @Override
        public SyncState merged(String publishedName, SyncState own) {
          return own;
        }
      };
}
