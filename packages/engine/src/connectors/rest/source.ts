import { type Config, isSecretKey, type RestDatasetRequest } from "@lakehelm/contract/connections";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { checkThat, runChecks } from "../checks.ts";
import type { SourceContext } from "../source/context.ts";
import { definedBySettings } from "../source/definition.ts";
import { JsonColumns } from "../source/json/columns.ts";
import { isRecord } from "../source/json/exact-json.ts";
import type { ConnectorSource } from "../source/source.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import { readDataset } from "./dataset-reader.ts";
import { requireReachable } from "./json-client.ts";
import { type RestSettings, readRestSettings } from "./settings.ts";
import type { RestThreadInput } from "./source-thread.ts";

const thread = new URL("./source-thread.ts", import.meta.url);

/** How much of an API is read to find its columns. Fields that appear only in later records are not found. */
const sampleRecords = 1000;
const samplePages = 5;
/** How many parents without children are tried. */
const sampleParents = 100;

/** An API that returns JSON. A dataset is a path below its URL. */
export async function openRestSource(
  config: Config,
  { signal, egress }: Pick<SourceContext, "signal" | "egress">,
): Promise<ConnectorSource> {
  const settings = readRestSettings(config, egress);

  async function describe(dataset: string): Promise<DatasetDescription> {
    const inferred = new JsonColumns();
    let recordCount = 0;
    let pageCount = 0;
    let emptyCount = 0;
    await readDataset(
      settings,
      dataset,
      undefined,
      {
        onPage({ records }, keys) {
          for (const record of records) if (isRecord(record)) inferred.add({ ...keys, ...record, ...keys });
          recordCount += records.length;
          // Pages without records are counted separately, because most parents have few children.
          if (records.length > 0 || Object.keys(keys).length === 0) pageCount += 1;
          else emptyCount += 1;
          return recordCount < sampleRecords && pageCount < samplePages && emptyCount < sampleParents;
        },
        onReject() {},
        onBytes() {},
      },
      signal,
    );
    const columns = inferred.columns();
    return {
      name: dataset,
      columns,
      primary_keys: [],
      watermark_candidates: watermarkCandidates(columns, []),
      rows: null,
    };
  }

  return {
    check: (datasets) =>
      runChecks(
        checkThat(`can reach ${settings.url}`, () => requireReachable(settings, signal)),
        datasets.map((dataset) =>
          checkThat(`can read ${dataset} of ${settings.url}`, () => describe(dataset)),
        ),
      ),
    // An API does not list its datasets.
    discover: async () => [],
    describe,
    keepsRows: false,
    async define(dataset) {
      const { url, recordsPath, requests } = settings;
      const own = requests.get(dataset);
      const parent = own?.parent?.dataset;
      return definedBySettings(
        { url, recordsPath, request: definingRequest(own) },
        {
          pages: pagesOf(settings, own),
          ...(parent !== undefined && {
            parent: definingRequest(requests.get(parent)),
            parentPages: pagesOf(settings, requests.get(parent)),
          }),
        },
      );
    },
    // The children of several parents are read at the same time.
    hasRowOrder: (dataset) => settings.requests.get(dataset)?.parent === undefined,
    async read({ dataset, columns, since, into }) {
      const type = columns.find(({ name }) => name === since?.column)?.type ?? "VARCHAR";
      const input: RestThreadInput = { settings, dataset, columns, since: since && { ...since, type } };
      await into.fromThread(thread, input);
    },
    async close() {},
  };
}

/** The settings of a request that decide its rows: without paging, concurrency and credentials in its body. */
const definingRequest = (request: RestDatasetRequest | undefined): string | undefined =>
  JSON.stringify(request, (key, value: unknown) =>
    ["paging", "pageSize", "concurrency"].includes(key) || isSecretKey(key) ? undefined : value,
  );

/**
 * The settings that decide whether all rows are read: with other paging, or without it, only the first rows are read.
 */
function pagesOf(settings: RestSettings, own: RestDatasetRequest | undefined): unknown {
  const paging = own?.paging ?? settings.paging;
  const watermarkParam = own?.watermarkParam ?? settings.watermarkParam;
  const pageSize = own?.pageSize ?? settings.pageSize;
  return { paging, watermarkParam, ...(paging.type === "none" && { pageSize }) };
}
