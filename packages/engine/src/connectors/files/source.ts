import type { Config } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import type { DatasetDescription } from "../../protocol/transfer.ts";
import { duckdbMessage } from "../../warehouse/duckdb-message.ts";
import { isMemoryError } from "../../warehouse/memory-problem.ts";
import { checkThat, runChecks } from "../checks.ts";
import { createS3Client } from "../s3/client.ts";
import { isS3Path } from "../s3/location.ts";
import { readS3Settings } from "../s3/settings.ts";
import { s3Store } from "../s3/source-store.ts";
import type { SourceContext } from "../source/context.ts";
import { definedBySettings } from "../source/definition.ts";
import { instant } from "../source/instant.ts";
import type { ConnectorSource, FileArrivals, Since } from "../source/source.ts";
import { watermarkCandidates } from "../source/watermark-candidates.ts";
import { withAppendedLines } from "./read/appended-lines.ts";
import { csvReader } from "./read/csv.ts";
import { openedPaths } from "./read/duckdb-paths.ts";
import { modifiedColumn } from "./read/file-columns.ts";
import { fileNames, isOtherwiseCompressed } from "./read/file-names.ts";
import type { FileStore, ListedFile, OpenedFile } from "./read/file-store.ts";
import type { FormatReader } from "./read/format-reader.ts";
import { jsonReader } from "./read/json.ts";
import { localStore } from "./read/local-store.ts";
import { parquetReader } from "./read/parquet.ts";
import { partitionColumns } from "./read/partitions.ts";
import { rowSelection } from "./read/row-selection.ts";
import { type FilesSettings, readFilesSettings } from "./read/settings.ts";

async function readableFiles(store: FileStore, dataset: string): Promise<readonly ListedFile[]> {
  const files = await store.list(dataset);
  const other = files.find(({ name }) => isOtherwiseCompressed.test(name));
  if (other === undefined) return files;
  throw new DataProblem(
    `${other.name} in ${store.place} is compressed in a way that is not read. Compress it with gzip (.gz) instead, or leave it out with a pattern, such as *.csv.`,
  );
}

/** The files of a folder, or of a bucket. A dataset is a file, a subfolder, or a pattern. */
export async function openFilesSource(config: Config, context: SourceContext): Promise<ConnectorSource> {
  const settings = readFilesSettings(config);
  const store = openStore(config, settings, context);
  const reader = readerOf(settings, context);

  async function describe(
    dataset: string,
    target?: string,
    arrivals?: FileArrivals,
  ): Promise<DatasetDescription> {
    const files = await readableFiles(store, dataset);
    const collected = reader.collect(files.length);
    const collect = (opened: readonly OpenedFile[]) =>
      reader.open(opened, true, async (ready) => {
        const { connection, close } = await context.openExternal({
          files: openedPaths(ready),
          keepsOrder: true,
        });
        await collected.add(ready, connection).finally(close);
      });
    await store.describe(files, arrivals, collect).catch((error: unknown) => {
      throw readProblem(dataset, store.place, error);
    });
    const own = collected.columns();
    const found = [
      ...own,
      ...partitionColumns(
        files.map(({ name }) => name),
        own,
      ),
    ];
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
    rowOrder:
      "the one in the file that was written last (by name if files have the same time), then the last one in the file",
    check: (datasets) =>
      runChecks(
        checkThat(`can open ${placeName(store.place)}`, () => store.listDatasets()),
        [
          ...datasets.map((dataset) =>
            checkThat(`can read ${dataset} in ${store.place}`, () => describe(dataset)),
          ),
          ...settings.warnings.map((warning) => async () => warning),
        ],
      ),
    async discover() {
      const datasets: DatasetDescription[] = [];
      for (const dataset of await store.listDatasets()) {
        const found = await describe(dataset).catch((error: unknown) => {
          // A file that cannot be read as a table does not fail the listing.
          if (!(error instanceof DataProblem)) throw error;
        });
        if (found) datasets.push(withoutHidden(found));
      }
      return datasets;
    },
    describe,
    keepsRows: false,
    async define(dataset, _, target) {
      const { warnings: __, declared, ...read } = settings;
      const { types } = declared.typesOf(dataset, target);
      return definedBySettings({ ...read, endpoint: config.endpoint, types });
    },
    listFiles:
      store.find &&
      (async (dataset) =>
        ((await store.find?.(dataset)) ?? []).map(({ path, size, version = "" }) => ({
          path,
          size,
          version,
        }))),
    async read(request) {
      const all = await readableFiles(store, request.dataset);
      const { arrivals } = request;
      const isModified = isModifiedSince(request.since);
      const changed = all.toSorted(inWrittenOrder).filter((file) => {
        const wasRead = request.since && arrivals?.wasRead(file.identities);
        return wasRead === undefined ? isModified(file) : !wasRead;
      });
      arrivals?.list(all.flatMap(({ identities }) => identities));
      if (changed.length === 0) return;
      const since = request.since?.column === modifiedColumn.name ? undefined : request.since;
      const readRows = async (files: readonly OpenedFile[]) => {
        request.signal.throwIfAborted();
        const selection = rowSelection(reader, files, request.columns, since);
        await reader.read(files, { ...request, since }, selection);
      };
      const listed = new Set(all.flatMap(({ place }) => place ?? []));
      const { temporaryFolder } = context;
      const read = (opened: readonly OpenedFile[]) =>
        reader.open(opened, false, (files) =>
          arrivals?.appends
            ? withAppendedLines(files, { arrivals, temporaryFolder, format: reader.lines, listed }, readRows)
            : readRows(files),
        );
      await store.read(changed, read).catch((error: unknown) => {
        request.signal.throwIfAborted();
        throw readProblem(request.dataset, store.place, error);
      });
    },
    async close() {},
  };
}

function openStore(config: Config, settings: FilesSettings, context: SourceContext): FileStore {
  const { path, format, namePattern } = settings;
  const filter = { extensions: fileNames[format], namePattern };
  if (!isS3Path(path)) return localStore(settings, filter.extensions, context);
  const client = createS3Client(readS3Settings(config, "connection.config"), context.egress, context.signal);
  const { temporaryFolder, diskReserveMb } = context;
  return s3Store({ client, format, filter, temporaryFolder, diskReserveMb });
}

/** Later files are read later: if several rows have the same key, the last row wins. */
const inWrittenOrder = (one: ListedFile, other: ListedFile): number =>
  one.modified === other.modified ? (one.name < other.name ? -1 : 1) : one.modified < other.modified ? -1 : 1;

const placeName = (place: string): string => (isS3Path(place) ? place : `the folder ${place}`);

const withoutHidden = ({ hidden: _, ...description }: DatasetDescription): DatasetDescription => description;

function readerOf(settings: FilesSettings, context: SourceContext): FormatReader {
  const { declared: _, path: __, namePattern: ___, warnings: ____, format, ...dialect } = settings;
  if (format === "csv") return csvReader(dialect, context);
  return format === "json" ? jsonReader(settings) : parquetReader(context);
}

/** A file is read as a whole or not at all, depending on its modification time. */
function isModifiedSince(since: Since | undefined): (file: ListedFile) => boolean {
  const from = since?.column === modifiedColumn.name ? instant(since.value)?.text : undefined;
  return ({ modified }) => from === undefined || modified >= from;
}

function readProblem(dataset: string, folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DataProblem || isMemoryError(error)) return error;
  const reason = /invalid state/.test(error.message)
    ? "its lines have different line endings"
    : duckdbMessage(error);
  return new DataProblem(`${dataset} in ${folder} cannot be read: ${reason}.`.replace(/\.\.$/, "."), {
    cause: error,
  });
}
