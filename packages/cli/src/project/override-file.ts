import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Document, isCollection, isMap, parseDocument } from "yaml";
import { mainFiles } from "./read/folder.ts";
import { writtenValue } from "./written-value.ts";

/** Edits the overrides of an environment in the main file of a project. Everything else stays, comments included. */
export interface OverrideFile {
  readonly file: string;
  /** Whether the main file has the environment. */
  readonly exists: boolean;
  /** False: the current value has references, which would be lost. */
  set(path: readonly string[], value: unknown): boolean;
  save(): Promise<void>;
}

export async function openOverrides(folder: string, environment: string): Promise<OverrideFile> {
  const file = mainFiles.find((one) => existsSync(join(folder, one))) ?? mainFiles[0];
  const document = parseDocument(await readFile(join(folder, file), "utf8"));
  let isChanged = false;
  const prefix = ["environments", environment];
  return {
    file,
    exists: document.hasIn(prefix),
    set(path, value) {
      const whole = [...prefix, "overrides", ...path];
      const before = document.getIn(whole, true);
      if (before !== undefined && String(before).includes("${")) return false;
      makeMaps(document, whole);
      document.setIn(whole, document.createNode(writtenValue(value)));
      isChanged = true;
      return true;
    },
    async save() {
      const text = file.endsWith(".json")
        ? `${JSON.stringify(document.toJS(), undefined, 2)}\n`
        : document.toString({ lineWidth: 0, flowCollectionPadding: false });
      if (isChanged) await writeFile(join(folder, file), text);
    },
  };
}

/** An environment without settings is null, or an empty map on one line. */
function makeMaps(document: Document, path: readonly string[]): void {
  for (let length = 1; length < path.length; length += 1) {
    const at = path.slice(0, length);
    const node = document.getIn(at, true);
    if (!isCollection(node)) document.setIn(at, document.createNode({}));
    const map = document.getIn(at, true);
    if (isMap(map) && map.items.length === 0) map.flow = false;
  }
}
