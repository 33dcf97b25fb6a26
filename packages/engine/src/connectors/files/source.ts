import { type WarehouseColumn, wireType } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { duckdbMessage } from "../../warehouse/duckdb-message.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { runChecks } from "../source/checks.ts";
import type { ConnectorConfig, SourceContext } from "../source/context.ts";
import { instant } from "../source/instant.ts";
import type { ConnectorSource, Since } from "../source/source.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import { csvReader } from "./read/csv.ts";
import { fileModified } from "./read/file-columns.ts";
import { type FileFilter, type ListedFile, listDatasets, listFiles } from "./read/file-listing.ts";
import type { FormatReader, RowSelection } from "./read/format-reader.ts";
import { jsonReader } from "./read/json.ts";
import { parquetReader } from "./read/parquet.ts";
import { filePath } from "./read/paths.ts";
import { type FilesSettings, type ReadableFormat, readFilesSettings } from "./read/settings.ts";

const endings: Readonly<Record<ReadableFormat, RegExp>> = {
  csv: /\.(csv|tsv|txt)(\.gz)?$/i,
  json: /\.(json|jsonl|ndjson)(\.gz)?$/i,
  parquet: /\.(parquet|parq|pq)$/i,
};

/** Files of a folder. A dataset is one of them, a sub-folder, or a pattern. */
export async function openFilesSource(
  config: ConnectorConfig,
  context: SourceContext,
): Promise<ConnectorSource> {
  const settings = readFilesSettings(config);
  const place: FileFilter = { folder: settings.path, endings: endings[settings.format], only: settings.only };
  const kind = kindOf(settings);

  async function columnsOf(
    files: readonly ListedFile[],
    dataset: string,
  ): Promise<DatasetDescription["columns"]> {
    const { connection, close } = await context.openExternal();
    try {
      return await kind.columns(files, connection);
    } catch (error) {
      throw readProblem(dataset, settings.path, error);
    } finally {
      close();
    }
  }

  async function describe(dataset: string): Promise<DatasetDescription> {
    const columns = await columnsOf(await listFiles(place, dataset), dataset);
    return {
      name: dataset,
      columns,
      hidden: [fileModified],
      primary_keys: [],
      watermark_candidates: [fileModified.name, ...watermarkCandidates(columns, [])],
      rows: null,
    };
  }

  return {
    check: (datasets) =>
      runChecks(
        { sentence: `can open the folder ${settings.path}`, run: () => listDatasets(place) },
        datasets.map((dataset) => ({
          sentence: `can read ${dataset} in ${settings.path}`,
          run: () => describe(dataset),
        })),
      ),
    async discover() {
      const offered: DatasetDescription[] = [];
      for (const dataset of await listDatasets(place)) {
        const found = await describe(dataset).catch((error: unknown) => {
          // A file that is no table does not hide the others.
          if (!(error instanceof DataProblem)) throw error;
        });
        if (found) offered.push(withoutHidden(found));
      }
      return offered;
    },
    describe,
    async read(reading) {
      const files = (await listFiles(place, reading.dataset)).filter(isWanted(reading.since));
      if (files.length === 0) return;
      const since = reading.since?.column === fileModified.name ? undefined : reading.since;
      await kind
        .read(files, { ...reading, since }, asked(kind, files, reading.columns, since))
        .catch((error: unknown) => {
          reading.signal.throwIfAborted();
          throw readProblem(reading.dataset, settings.path, error);
        });
    },
    async close() {},
  };
}

const withoutHidden = ({ hidden: _, ...offered }: DatasetDescription): DatasetDescription => offered;

function kindOf(settings: FilesSettings): FormatReader {
  if (settings.format === "csv") return csvReader(settings);
  return settings.format === "json" ? jsonReader : parquetReader;
}

/** By the time of a file, it is read whole or not at all. */
function isWanted(since: Since | undefined): (file: ListedFile) => boolean {
  const from = since?.column === fileModified.name ? instant(since.value)?.text : undefined;
  return ({ modified }) => from === undefined || modified >= from;
}

function asked(
  kind: FormatReader,
  files: readonly ListedFile[],
  columns: readonly WarehouseColumn[],
  since: Since | undefined,
): RowSelection {
  const isTime = ({ name }: WarehouseColumn) => name === fileModified.name;
  const select = columns.map((column) => (isTime(column) ? timeOf(files) : kind.value(column))).join(", ");
  const nulls = columns.filter((column) => !isTime(column));
  const shape = `SELECT ${nulls.map((column) => `CAST(NULL AS ${wireType(column)}) AS ${quote(column.name)}`).join(", ")} WHERE false`;
  const marked = columns.find(({ name }) => name === since?.column);
  if (!since || !marked) return { select, shape, where: "" };
  const mark = `TRY_CAST(${kind.value(marked)} AS ${marked.type}) >= CAST(${literal(since.value)} AS ${marked.type})`;
  return { select, shape, where: ` WHERE coalesce(${mark}, true)` };
}

const timeOf = (files: readonly ListedFile[]): string =>
  `MAP {${files.map(({ path, modified }) => `${literal(path)}: ${literal(modified)}`).join(", ")}}[${filePath}]`;

function readProblem(dataset: string, folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DataProblem) return error;
  const told = /invalid state/.test(error.message)
    ? "its lines do not all end in the same way"
    : duckdbMessage(error);
  return new DataProblem(`${dataset} in ${folder} cannot be read: ${told}.`.replace(/\.\.$/, "."), {
    cause: error,
  });
}
