import type { Config } from "@lakehelm/contract/connections";
import { type WarehouseColumn, wireType } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { duckdbMessage } from "../../warehouse/duckdb-message.ts";
import { isMemoryError } from "../../warehouse/memory-problem.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { checkThat, runChecks } from "../checks.ts";
import type { SourceContext } from "../source/context.ts";
import { instant } from "../source/instant.ts";
import type { ConnectorSource, Since } from "../source/source.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import { csvReader } from "./read/csv.ts";
import { modifiedColumn, pathColumn } from "./read/file-columns.ts";
import {
  type FileFilter,
  type FileListing,
  type ListedFile,
  listDatasets,
  listFiles,
  openedPaths,
} from "./read/file-listing.ts";
import type { FormatReader, RowSelection } from "./read/format-reader.ts";
import { jsonReader } from "./read/json.ts";
import { parquetReader } from "./read/parquet.ts";
import { withPinnedFiles } from "./read/pinned-files.ts";
import { type FilesSettings, type ReadableFormat, readFilesSettings } from "./read/settings.ts";

const extensions: Readonly<Record<ReadableFormat, RegExp>> = {
  csv: /\.(csv|tsv|txt)(\.gz)?$/i,
  json: /\.(json|jsonl|ndjson)(\.gz)?$/i,
  parquet: /\.(parquet|parq|pq)$/i,
};

/** The files of a folder. A dataset is a file, a subfolder, or a pattern. */
export async function openFilesSource(config: Config, context: SourceContext): Promise<ConnectorSource> {
  const settings = readFilesSettings(config);
  const filter: FileFilter = {
    folder: settings.path,
    resolvePath: context.resolvePath,
    extensions: extensions[settings.format],
    namePattern: settings.namePattern,
  };
  const reader = readerOf(settings);

  async function columnsOf(listing: FileListing): Promise<DatasetDescription["columns"]> {
    const files = openedPaths(listing.files);
    const { connection, close } = await context.openExternal({ files, keepsOrder: true });
    try {
      return await reader.columns(listing.files, connection);
    } finally {
      close();
    }
  }

  async function describe(dataset: string, target?: string): Promise<DatasetDescription> {
    const listing = await listFiles(filter, dataset);
    const found = await withPinnedFiles(listing, context.temporaryFolder, columnsOf).catch(
      (error: unknown) => {
        throw readProblem(dataset, settings.path, error);
      },
    );
    const columns = reader.declares(found, dataset, settings.declared.typesOf(dataset, target));
    return {
      name: dataset,
      columns,
      hidden: [modifiedColumn],
      primary_keys: [],
      watermark_candidates: [modifiedColumn.name, ...watermarkCandidates(columns, [])],
      rows: null,
    };
  }

  return {
    warnings: settings.warnings,
    check: (datasets) =>
      runChecks(
        checkThat(`can open the folder ${settings.path}`, () => listDatasets(filter)),
        [
          ...datasets.map((dataset) =>
            checkThat(`can read ${dataset} in ${settings.path}`, () => describe(dataset)),
          ),
          ...settings.warnings.map((warning) => async () => warning),
        ],
      ),
    async discover() {
      const datasets: DatasetDescription[] = [];
      for (const dataset of await listDatasets(filter)) {
        const found = await describe(dataset).catch((error: unknown) => {
          // A file that cannot be read as a table does not fail the listing.
          if (!(error instanceof DataProblem)) throw error;
        });
        if (found) datasets.push(withoutHidden(found));
      }
      return datasets;
    },
    describe,
    async read(request) {
      const { folder, files: all } = await listFiles(filter, request.dataset);
      const { arrivals } = request;
      const isModified = isModifiedSince(request.since);
      const changed = all.filter((file) => {
        const wasRead = request.since && arrivals?.wasRead(file.identities);
        return wasRead === undefined ? isModified(file) : !wasRead;
      });
      arrivals?.list(all.flatMap(({ identities }) => identities));
      if (changed.length === 0) return;
      const since = request.since?.column === modifiedColumn.name ? undefined : request.since;
      await withPinnedFiles({ folder, files: changed }, context.temporaryFolder, ({ folder: shown, files }) =>
        reader.read(
          files,
          { ...request, since },
          {
            ...rowSelection(reader, files, request.columns, since),
            realPath: (path) => `replace(${path}, ${literal(shown)}, ${literal(folder)})`,
          },
        ),
      ).catch((error: unknown) => {
        request.signal.throwIfAborted();
        throw readProblem(request.dataset, settings.path, error);
      });
    },
    async close() {},
  };
}

const withoutHidden = ({ hidden: _, ...description }: DatasetDescription): DatasetDescription => description;

function readerOf(settings: FilesSettings): FormatReader {
  const { declared: _, path: __, namePattern: ___, warnings: ____, format, ...dialect } = settings;
  if (format === "csv") return csvReader(dialect);
  return format === "json" ? jsonReader(settings) : parquetReader;
}

/** A file is read as a whole or not at all, depending on its modification time. */
function isModifiedSince(since: Since | undefined): (file: ListedFile) => boolean {
  const from = since?.column === modifiedColumn.name ? instant(since.value)?.text : undefined;
  return ({ modified }) => from === undefined || modified >= from;
}

function rowSelection(
  reader: FormatReader,
  files: readonly ListedFile[],
  columns: readonly WarehouseColumn[],
  since: Since | undefined,
): Omit<RowSelection, "realPath"> {
  const isModifiedTime = ({ name }: WarehouseColumn) => name === modifiedColumn.name;
  const select = columns
    .map((column) => (isModifiedTime(column) ? modifiedTimeOf(files) : reader.value(column)))
    .join(", ");
  const nulls = columns.filter((column) => !isModifiedTime(column));
  const shape = `SELECT ${nulls.map((column) => `CAST(NULL AS ${wireType(column)}) AS ${quote(column.name)}`).join(", ")} WHERE false`;
  const watermark = columns.find(({ name }) => name === since?.column);
  if (!since || !watermark) return { select, shape, where: "" };
  const condition = `TRY_CAST(${reader.value(watermark)} AS ${watermark.type}) >= CAST(${literal(since.value)} AS ${watermark.type})`;
  return { select, shape, where: ` WHERE coalesce(${condition}, true)` };
}

const modifiedTimeOf = (files: readonly ListedFile[]): string =>
  `MAP {${files.map(({ path, modified }) => `${literal(path)}: ${literal(modified)}`).join(", ")}}[${pathColumn}]`;

function readProblem(dataset: string, folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DataProblem || isMemoryError(error)) return error;
  const reason = /invalid state/.test(error.message)
    ? "its lines have different line endings"
    : duckdbMessage(error);
  return new DataProblem(`${dataset} in ${folder} cannot be read: ${reason}.`.replace(/\.\.$/, "."), {
    cause: error,
  });
}
