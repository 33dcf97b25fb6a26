import type { Pipeline } from "../../data/pipelines.ts";

/** The SQL files and notebooks of a pipeline, by their paths in the workspace folder. */
export function filePaths({
  libraries,
  root_path = "",
}: Pick<Pipeline, "libraries" | "root_path">): readonly string[] {
  const paths = libraries.flatMap(({ file, notebook }) => {
    const written = file?.path ?? notebook?.path;
    if (written === undefined) return [];
    const whole = normal(written.startsWith("/") ? written : `${root_path}/${written}`);
    return [notebook && !/\.[^/.]+$/.test(whole) ? `${whole}.sql` : whole];
  });
  return [...new Set(paths)];
}

/** The path without empty parts, `.` and `..`. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
