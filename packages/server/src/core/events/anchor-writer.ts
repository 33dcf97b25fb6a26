import { type Anchor, type AnchorFile, type AnchorState, anchorText, parseAnchor } from "./anchor.ts";
import type { ChainPosition, EventKey } from "./chain.ts";
import type { LogProblem } from "./problem.ts";
import type { RemoteAnchor } from "./remote-anchor.ts";

/** Where a log is anchored. */
export interface AnchorPlaces {
  readonly file: AnchorFile;
  readonly remote: RemoteAnchor | undefined;
  /** The id of the data folder. */
  readonly server: string;
}

/** Keeps the anchors of a log up to date. */
export interface AnchorWriter {
  /** The anchor in the file. */
  read(): Promise<AnchorState>;
  /** The anchor of the object store; undefined if there is none. */
  readRemote(): Promise<AnchorState | undefined>;
  /** False if the write failed; the error is reported. */
  write(): Promise<boolean>;
  sequence(): number;
  close(): Promise<void>;
}

export interface AnchorWriterOptions {
  readonly key: EventKey;
  readonly position: () => ChainPosition | undefined;
  readonly problems: () => readonly LogProblem[];
  readonly now: () => Date;
  readonly report: (problem: LogProblem) => void;
  readonly onError: (error: unknown) => void;
}

export const missingAnchor: LogProblem = {
  reason: "anchor_missing",
  problem: "The file with the anchor of the log was removed.",
};
export const changedAnchor: LogProblem = {
  reason: "anchor_changed",
  problem: "The file with the anchor of the log was changed.",
};

export function createAnchorWriter(
  { file, remote, server }: AnchorPlaces,
  { key, position, problems, now, report, onError }: AnchorWriterOptions,
): AnchorWriter {
  let running: Promise<boolean> = Promise.resolve(true);
  let written: Anchor | undefined;
  let isLost = false;
  let failing = false;

  async function save(): Promise<void> {
    if (written) {
      // The file may have been deleted or changed since the last write: the next write must not hide that.
      const { state } = await file.read();
      if (state !== "read" && !isLost) {
        isLost = true;
        report(state === "missing" ? missingAnchor : changedAnchor);
      }
    }
    // The position and the problems are read at the same moment: a problem is dropped once its event is at or before
    // the position.
    const at = position();
    if (!at) return;
    const { sequence, hash } = at;
    const anchor = { sequence, hash, time: now().toISOString(), server, problems: problems() };
    await file.write(anchor);
    written = anchor;
    isLost = false;
    remote?.publish(anchorText(key, anchor));
  }

  /** One write at a time. */
  function write(): Promise<boolean> {
    running = running.then(save).then(
      () => {
        failing = false;
        return true;
      },
      (error) => {
        if (!failing) onError(error);
        failing = true;
        return false;
      },
    );
    return running;
  }

  return {
    read: file.read,
    async readRemote() {
      const text = await remote?.latest();
      if (text === undefined) return undefined;
      const anchor = parseAnchor(key, text);
      return anchor ? { state: "read", anchor } : { state: "changed" };
    },
    write,
    sequence: () => written?.sequence ?? 0,
    async close() {
      await running;
      await remote?.close();
    },
  };
}
