import { posix } from "node:path";
import type { PipelineSpec } from "@lakehelm/contract";
import { foldedPath } from "../files/path.ts";
import type { PipelineDeclaration } from "./document.ts";

type Library = PipelineSpec["libraries"][number];

/** The path of a library in the workspace folder. A path that begins with a slash is not below `root_path`. */
export function libraryPath(library: Library, root = ""): string {
  const path = writtenPath(library, root);
  return library.notebook && posix.extname(path) === "" ? `${path}.sql` : path;
}

/** Whether a file is code of a pipeline, on any platform: the name of a notebook may lack its extension. */
export function usesFile(
  { libraries, root_path }: Pick<PipelineDeclaration, "libraries" | "root_path">,
  path: string,
): boolean {
  const file = foldedPath(path);
  const { dir, name } = posix.parse(file);
  const names = [file, posix.join(dir, name)];
  return libraries.some((library) => {
    const written = foldedPath(writtenPath(library, root_path ?? undefined));
    return written === file || (library.notebook && names.includes(written));
  });
}

function writtenPath({ file, notebook }: Library, root = ""): string {
  const written = file?.path ?? notebook?.path ?? "";
  return posix.join(written.startsWith("/") ? "" : root, written).replace(/^\/+/, "");
}
