import type { SourceContext } from "../../source/context.ts";
import { type FileFilter, listDatasets, listFiles } from "./file-listing.ts";
import type { FileStore } from "./file-store.ts";
import { withPinnedFiles } from "./pinned-files.ts";

/** A folder of this machine. */
export function localStore(
  { path, namePattern }: { readonly path: string; readonly namePattern: string | undefined },
  extensions: RegExp,
  { resolvePath, temporaryFolder }: Pick<SourceContext, "resolvePath" | "temporaryFolder">,
): FileStore {
  const filter: FileFilter = { folder: path, resolvePath, extensions, namePattern };
  return {
    place: path,
    list: (dataset) => listFiles(filter, dataset),
    listDatasets: () => listDatasets(filter),
    read: (files, work) => withPinnedFiles(files, temporaryFolder, work),
    describe: (files, _, work) => withPinnedFiles(files, temporaryFolder, work),
  };
}
