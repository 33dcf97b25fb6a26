import { hash } from "node:crypto";
import { encodeJson } from "@lakehelm/contract/schema";
import type { CodeLineage, LineageKey, LineageRows } from "./lineage-rows.ts";
import type { Step } from "./store.ts";

type Found = Omit<CodeLineage, "key" | "isFormer">;

export interface KeptCode {
  /**
   * Returns what is known of code that was just read, and stores it if it is new. For code that cannot be read any
   * more, returns the paths of its last good version.
   */
  settle(
    at: LineageKey,
    key: string,
    found: Found,
    before: () => Promise<CodeLineage | undefined>,
  ): Promise<CodeLineage>;
  /** Stores what was read of a pipeline's code if it is complete: at the next read the code may be broken. */
  keepPipeline(id: string, environmentId: string, found: Found): Promise<void>;
}

/** The key of all code of pipelines: it is read each time. */
export const pipelineKey = "pipeline";

/** The most resources whose stored code is remembered, so that it is not looked up at each read. */
const mostKnown = 5_000;

export function createKeptCode(
  rows: Pick<LineageRows, "code" | "setCode">,
  save: (step: Step) => Promise<void>,
): KeptCode {
  /** Digests instead of texts: a pipeline may have thousands of tables. */
  const known = new Map<string, string>();
  const digestOf = (text: string) => hash("sha256", text, "base64url");
  const kept: KeptCode = {
    async settle(at, key, found, readBefore) {
      const id = encodeJson(at);
      const fresh = { key, paths: found.paths, isComplete: found.isComplete };
      if (found.isComplete && known.get(id) === digestOf(encodeJson(fresh))) return fresh;
      const before = await readBefore();
      const hasGood = before?.isComplete || before?.isFormer;
      const code =
        found.isComplete || !hasGood
          ? fresh
          : ({ key, paths: before?.paths ?? [], isComplete: false, isFormer: true } as const);
      const text = encodeJson(code);
      if (text !== encodeJson(before)) await save(rows.setCode(at, code));
      known.delete(id);
      known.set(id, digestOf(text));
      if (known.size > mostKnown) known.delete(known.keys().next().value ?? "");
      return code;
    },
    async keepPipeline(id, environmentId, found) {
      if (!found.isComplete) return;
      const at = { kind: "pipeline", id, environmentId };
      await kept.settle(at, pipelineKey, found, () => rows.code(at));
    },
  };
  return kept;
}
