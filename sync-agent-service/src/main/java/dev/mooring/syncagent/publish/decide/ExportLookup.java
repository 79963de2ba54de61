package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.ProjectedSchema;
import java.util.Optional;

/** What was found of the APIExport. */
public sealed interface ExportLookup {
  record Found(KubeObject export) implements ExportLookup {

    /**
     * Name of the schema in whose place the wanted one comes: that which was published last, where
     * the projection has given the type another name since; otherwise that of the same name. Empty
     * if there is none, or if it is the wanted one.
     *
     * @param publishedLast as the status of the PublishedResource has it; empty if nothing was
     */
    public Optional<String> predecessorOf(ProjectedSchema wanted, String publishedLast) {
      boolean renamed =
          !publishedLast.equals(wanted.schemaName())
              && ExportMerge.listsUnderAnotherName(export, publishedLast, wanted);
      return renamed
          ? Optional.of(publishedLast)
          : ExportMerge.listed(export, wanted).filter(name -> !name.equals(wanted.schemaName()));
    }
  }

  /** Others write it, from Git: the agent only reads it. */
  record External(KubeObject export) implements ExportLookup {
    /**
     * Name of the schema by which the export serves the type, or that which was published last
     * where the projection has given the type another name since. Empty if there is none.
     */
    public Optional<String> exported(ProjectedSchema wanted, String publishedLast) {
      return ExportMerge.listed(export, wanted)
          .or(() ->
              Optional.of(publishedLast)
                  .filter(name -> ExportMerge.listsUnderAnotherName(export, name, wanted)));
    }
  }

  /** It does not exist, or it is not known where it is; the message says which. */
  record Unknown(String reason, String message) implements ExportLookup {}

  /** It, or what names it, cannot be read at the moment: all that was published stays. */
  record Unreadable(String message) implements ExportLookup {}
}
