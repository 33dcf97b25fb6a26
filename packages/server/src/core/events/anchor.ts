import { randomBytes } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "../files/disk.ts";
import { syncFolder } from "../files/sync-folder.ts";
import { type ChainPosition, type EventKey, isAnchor, signAnchor } from "./chain.ts";
import type { LogProblem } from "./problem.ts";

/** A position of the log that is kept outside the database. */
export interface Anchor extends ChainPosition {
  readonly time: string;
  /** The data folder of the server that wrote the anchor. */
  readonly server: string;
  /** Problems that are not sealed yet: they outlive a crash, and a deletion in the database. */
  readonly problems: readonly LogProblem[];
}

export type AnchorState =
  | { readonly state: "read"; readonly anchor: Anchor }
  | { readonly state: "missing" | "changed" };

/** The text of an anchor, as the file and the receiver of anchors get it. */
export function anchorText(key: EventKey, anchor: Anchor): string {
  const text = JSON.stringify(anchor);
  return `${JSON.stringify({ ...anchor, mac: signAnchor(key, text) })}\n`;
}

/** Undefined if the text is not an anchor made with this key. */
export function parseAnchor(key: EventKey, text: string): Anchor | undefined {
  try {
    const { mac, ...anchor } = JSON.parse(text) as Anchor & { mac: unknown };
    return typeof mac === "string" && isAnchor(key, JSON.stringify(anchor), mac) ? anchor : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export interface AnchorFile {
  read(): Promise<AnchorState>;
  /** Replaces the file; after a power failure it has the old or the new content. */
  write(anchor: Anchor): Promise<void>;
}

export function createAnchorFile(path: string, key: EventKey): AnchorFile {
  // Servers may share a data folder: each has its own draft.
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  return {
    async read() {
      try {
        const anchor = parseAnchor(key, await readFile(path, "utf8"));
        return anchor ? { state: "read", anchor } : { state: "changed" };
      } catch (error) {
        if (hasCode(error, "ENOENT")) return { state: "missing" };
        throw error;
      }
    },
    async write(anchor) {
      const file = await open(draft, "w", 0o600);
      try {
        await file.writeFile(anchorText(key, anchor));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
  };
}
