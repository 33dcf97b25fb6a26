import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "@lakehelm/engine";

/** Cleans up an environment's warehouse when the environment, or a pipeline in it, is deleted. */
export interface EnvironmentWarehouses {
  tables(environmentId: string): Promise<number>;
  drop(environmentId: string): Promise<void>;
  /** The tables of a pipeline have no owner from now on. */
  releaseTables(environmentId: string, pipelineId: string): Promise<void>;
}

export function createWarehouses(folder: string, engine: Pick<Engine, "request">): EnvironmentWarehouses {
  /** Most environments never had a warehouse: the engine need not be started to check that. */
  const isThere = (environmentId: string) =>
    access(join(folder, environmentId)).then(
      () => true,
      () => false,
    );
  return {
    async tables(environment) {
      if (!(await isThere(environment))) return 0;
      const scope = { environment, catalog: "", schema: "" };
      return (await engine.request("catalog", { scope })).tables.length;
    },
    async releaseTables(environment, pipeline) {
      if (!(await isThere(environment))) return;
      await engine.request("removePipeline", { scope: { environment, catalog: "", schema: "" }, pipeline });
    },
    async drop(environment) {
      if (await isThere(environment)) await engine.request("dropWarehouse", { environment });
    },
  };
}
