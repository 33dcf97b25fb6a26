import type { Handlers, Handling } from "../handling.ts";
import { DataProblem } from "../problem.ts";
import type { Connection, Dataset, Where } from "../requests.ts";
import { openSource } from "../sources/open.ts";
import type { Finding } from "../sources/source.ts";
import { openTarget } from "../targets/open.ts";
import { fullName, tableName } from "../warehouse/names.ts";
import { deliver } from "./deliver.ts";
import { requireFolder } from "./folders.ts";
import { ingest } from "./ingest.ts";
import { WarehouseLedger } from "./ledger.ts";
import { preview } from "./preview.ts";
import { listRejects } from "./rejects.ts";

interface Asked {
  readonly where: Where;
  readonly direction: "in" | "out";
  readonly connection: Connection;
}

/** What the engine answers about connectors. */
export const movementHandlers = {
  async move(movement, handling) {
    const moved = await (movement.direction === "in" ? ingest : deliver)(movement, handling);
    handling.passing("recorded");
    return moved;
  },
  preview,
  async rejects({ where, datasets, skip, limit }, handling) {
    return listRejects(await handling.warehouse(where.environment), datasets, { skip, limit });
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
} satisfies Partial<Handlers>;

async function open({ where, direction, connection }: Asked, handling: Handling) {
  await requireFolder(connection, handling.folders);
  const warehouse = await handling.warehouse(where.environment);
  const around = { signal: handling.signal, outside: () => warehouse.outside() };
  return direction === "in"
    ? openSource(connection, around)
    : openTarget(connection, {
        ...around,
        connector: "",
        ledger: new WarehouseLedger(warehouse, where.catalog),
        ownFolder: warehouse.folder,
      });
}

/** The other side. What keeps it from being opened, a folder that is not there or a key that is missing, is a finding too. */
async function otherFindings(
  asked: Asked,
  datasets: readonly Dataset[],
  handling: Handling,
): Promise<readonly Finding[]> {
  const names = datasets.map(({ source, target }) => (asked.direction === "in" ? source : target));
  try {
    const there = await open(asked, handling);
    return await there.check(names).finally(() => there.close());
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return [{ ok: false, sentence: error.message }];
  }
}

/** Our own side: of what goes out, the tables must be there. */
async function warehouseFindings(
  { where, direction }: Asked,
  datasets: readonly Dataset[],
  handling: Handling,
): Promise<Finding[]> {
  if (direction === "in") return [];
  const warehouse = await handling.warehouse(where.environment);
  const findings: Finding[] = [];
  for (const { source } of datasets) {
    const name = tableName(source, where);
    const ok = await warehouse.hasTable(name);
    findings.push({
      ok,
      sentence: ok
        ? `The table ${fullName(name)} is in the warehouse.`
        : `There is no table ${fullName(name)} in the warehouse yet.`,
    });
  }
  return findings;
}
