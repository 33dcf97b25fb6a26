import type { ConnectionFinding } from "../connectors/source/source.ts";
import { openSource } from "../connectors/source-registry.ts";
import { openTarget } from "../connectors/target-registry.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig, Dataset, WarehouseScope } from "../protocol/requests.ts";
import { fullName, tableName } from "../warehouse/names.ts";
import type { RequestContext, RequestHandlers } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import { WarehouseLedger } from "./checkpoint-store.ts";
import { requireFolder } from "./connector-folders.ts";
import { deliver, outgoingColumns } from "./delivery.ts";
import { ingest } from "./ingest.ts";
import { settled } from "./ingest-run.ts";
import { preview } from "./preview.ts";
import { listRejects } from "./rejects.ts";

interface Asked {
  readonly scope: WarehouseScope;
  readonly direction: "in" | "out";
  readonly connection: ConnectionConfig;
}

/** What the engine answers about connectors. */
export const movementHandlers = {
  async transfer(movement, handling) {
    const moved = await (movement.direction === "in" ? ingest : deliver)(movement, handling);
    handling.crashPoint("recorded");
    return moved;
  },
  preview,
  async rejects({ scope, datasets, skip, limit }, handling) {
    return listRejects(await handling.warehouse(scope.environment), datasets, { skip, limit });
  },
  async check(asked, handling) {
    const { datasets } = asked;
    const there = await otherFindings(asked, datasets, handling);
    return [...there, ...(await warehouseFindings(asked, datasets, handling))];
  },
  async discover(asked, handling) {
    const there = await open(asked, handling);
    try {
      return await there.discover();
    } finally {
      await there.close();
    }
  },
} satisfies Partial<RequestHandlers>;

async function open({ scope, direction, connection }: Asked, handling: RequestContext) {
  await requireFolder(connection, handling.folders);
  const warehouse = await handling.warehouse(scope.environment);
  const around = { signal: handling.signal, outside: () => warehouse.outside() };
  return direction === "in"
    ? openSource(connection, around)
    : openTarget(connection, {
        ...around,
        connector: "",
        ledger: new WarehouseLedger(warehouse, scope.catalog),
        ownFolder: warehouse.folder,
      });
}

/** The other side. What keeps it from being opened, a folder that is not there or a key that is missing, is a finding too. */
async function otherFindings(
  asked: Asked,
  datasets: readonly Dataset[],
  handling: RequestContext,
): Promise<readonly ConnectionFinding[]> {
  const names = datasets.map(({ source, target }) => (asked.direction === "in" ? source : target));
  return findings(async () => {
    const there = await open(asked, handling);
    try {
      const found = await there.check(names);
      if (!("describe" in there) || found.some(({ ok }) => !ok)) return found;
      const columns = datasets.map((dataset) =>
        findings(async () => {
          settled(await there.describe(dataset.source), dataset);
          return [];
        }),
      );
      return [...found, ...(await Promise.all(columns)).flat()];
    } finally {
      await there.close();
    }
  });
}

/** What was found, or the one thing that kept it from being found. */
async function findings(
  look: () => Promise<readonly ConnectionFinding[]>,
): Promise<readonly ConnectionFinding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return [{ ok: false, sentence: error.message }];
  }
}

/** Our own side: of what goes out, the tables must be there. */
async function warehouseFindings(
  { scope, direction }: Asked,
  datasets: readonly Dataset[],
  handling: RequestContext,
): Promise<readonly ConnectionFinding[]> {
  if (direction === "in") return [];
  const warehouse = await handling.warehouse(scope.environment);
  const all = datasets.map((dataset) =>
    findings(async () => {
      const name = tableName(dataset.source, scope);
      if (!(await warehouse.hasTable(name))) {
        return [{ ok: false, sentence: `There is no table ${fullName(name)} in the warehouse yet.` }];
      }
      await inTransaction(warehouse, handling.signal, (connection) =>
        outgoingColumns(connection, name, dataset),
      );
      return [{ ok: true, sentence: `The table ${fullName(name)} is in the warehouse.` }];
    }),
  );
  return (await Promise.all(all)).flat();
}
