import type { SourceContext } from "../../source/context.ts";
import { type FileFilter, listDatasets, listFiles } from "./file-listing.ts";
import type { FileNames } from "./file-names.ts";
import type { FileStore } from "./file-store.ts";
import { withPinnedFiles } from "./pinned-files.ts";
import type { FilesSettings } from "./settings.ts";

/** A folder of this machine. */
export function localStore(
  { path, namePattern, format }: Pick<FilesSettings, "path" | "namePattern" | "format">,
  extensions: FileNames,
  { resolvePath, temporaryFolder, signal }: Pick<SourceContext, "resolvePath" | "temporaryFolder" | "signal">,
): FileStore {
  const options = { temporaryFolder, signal, hasLines: format === "csv" };
  const filter: FileFilter = { folder: path, resolvePath, extensions, namePattern };
  return {
    place: path,
    list: (dataset) => listFiles(filter, dataset),
    listDatasets: () => listDatasets(filter),
    read: (files, work) => withPinnedFiles(files, { ...options, isWhole: true }, work),
    describe: (files, _, work) => withPinnedFiles(files, { ...options, isWhole: false }, work),
  };
}
