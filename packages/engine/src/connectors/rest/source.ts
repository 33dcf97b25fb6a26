import type { Config } from "@lakehelm/contract/connections";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { checkThat, runChecks } from "../checks.ts";
import type { SourceContext } from "../source/context.ts";
import { JsonColumns } from "../source/json/columns.ts";
import { isRecord } from "../source/json/exact-json.ts";
import type { ConnectorSource, Since } from "../source/source.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import { requireReachable } from "./json-client.ts";
import { pages } from "./pages.ts";
import { addressOf, readRestSettings, withParameter } from "./settings.ts";
import type { RestThreadInput } from "./source-thread.ts";

const thread = new URL("./source-thread.ts", import.meta.url);

/** How much of an API is read to find its columns. Fields that appear only in later records are not found. */
const sampleRecords = 1000;
const samplePages = 5;

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
    for await (const { records } of pages(addressOf(settings, dataset), settings, signal)) {
      for (const record of records) if (isRecord(record)) inferred.add(record);
      recordCount += records.length;
      pageCount += 1;
      if (recordCount >= sampleRecords || pageCount === samplePages) break;
    }
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
    async read({ dataset, columns, since, into }) {
      const type = columns.find(({ name }) => name === since?.column)?.type ?? "VARCHAR";
      const address = addressOf(settings, dataset);
      const { watermarkParam } = settings;
      const input: RestThreadInput = {
        settings,
        address:
          since && watermarkParam
            ? withParameter(address, watermarkParam, watermarkParameter(type, since))
            : address,
        columns,
        since: since && { ...since, type },
      };
      await into.fromThread(thread, input);
    },
    async close() {},
  };
}

/** The watermark as the API expects it: times in ISO 8601, other values unchanged. */
const watermarkParameter = (type: string, { value }: Since): string =>
  type.startsWith("TIMESTAMP") ? `${value.replace(" ", "T").replace(/\+00(:00)?$/, "")}Z` : value;
