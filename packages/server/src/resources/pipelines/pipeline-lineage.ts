import { createHash } from "node:crypto";
import { encodeJson } from "@lakehelm/contract/schema";
import { requestWarehouse } from "../../runtime/platforms/warehouse.ts";
import type { ReadPipelineCode } from "./pipeline-code.ts";

interface PipelineTables {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** The tables that the code of a pipeline reads from elsewhere and writes. Undefined: the code does not say, or not now. */
export type PipelineLineage = (pipelineId: string) => Promise<PipelineTables | undefined>;

const mostKept = 500;

/** The engine reads the code. What it found is kept until the code is another. */
export function createPipelineLineage(read: ReadPipelineCode): PipelineLineage {
  const known = new Map<string, { readonly digest: string; readonly tables: Promise<PipelineTables> }>();
  return async (pipelineId) => {
    try {
      const { env, code, problems } = await read(pipelineId);
      if (problems.length > 0 || env.platform.pipelineGraph) return undefined;
      const digest = createHash("sha256").update(encodeJson(code)).digest("base64");
      const before = known.get(pipelineId);
      if (before?.digest === digest) return await before.tables;
      const plan = requestWarehouse(
        env,
        "pipelinePlan",
        { ...code, types: false },
        AbortSignal.timeout(60_000),
      );
      const tables = plan.then(({ tables: planned }) => {
        const writes = new Set(planned.map(({ name }) => name.toLowerCase()));
        const reads = new Set(planned.flatMap((table) => table.reads.map((name) => name.toLowerCase())));
        return { writes: [...writes], reads: [...reads.difference(writes)] };
      });
      known.set(pipelineId, { digest, tables });
      if (known.size > mostKept) known.delete(known.keys().next().value ?? "");
      tables.catch(() => known.delete(pipelineId));
      return await tables;
    } catch {
      return undefined;
    }
  };
}
