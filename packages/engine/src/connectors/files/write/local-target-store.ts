import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathExists, requireWritable } from "../../target/paths.ts";
import { commitFile, createFolder, fileExists, removeDurably, unfinishedPath } from "./durable-file.ts";
import { manifestFolder, readManifest, writeManifest } from "./manifest.ts";
import type { TargetStore } from "./target-store.ts";

/** A folder of this machine. A file is written under another name and renamed when it is complete. */
export const localTargetStore = (folder: string): TargetStore => ({
  place: folder,
  shown: (file) => join(folder, file),
  requireWritable: () => requireWritable(folder),
  async manifests() {
    const files = (await pathExists(manifestFolder(folder))) ? await readdir(manifestFolder(folder)) : [];
    return files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
  },
  readManifest: (name) => readManifest(folder, name),
  writeManifest: (name, manifest) => writeManifest(folder, name, manifest),
  exists: (file) => pathExists(join(folder, file)),
  isFile: (file) => fileExists(join(folder, file)),
  withFiles: (files, work) =>
    work(
      files.map((file) => join(folder, file)),
      folder,
    ),
  async create(file) {
    const path = join(folder, file);
    const unfinished = unfinishedPath(path);
    await createFolder(dirname(path));
    // DuckDB would write through a link.
    await rm(unfinished, { force: true });
    return {
      path: unfinished,
      folder,
      commit: () => commitFile(path),
      discard: () => rm(unfinished, { force: true }),
    };
  },
  remove: (file) => removeDurably(join(folder, file)),
});
