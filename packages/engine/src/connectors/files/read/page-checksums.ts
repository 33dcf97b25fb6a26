import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../../../protocol/problem.ts";
import { literal } from "../../../warehouse/names.ts";
import { duckdbPath } from "./duckdb-paths.ts";
import type { OpenedFile } from "./file-store.ts";
import { type PageHeader, readPageHeader } from "./page-header.ts";

/** The first size is enough for most page headers, the second for all: writers cut the statistics of long texts. */
const headerSizes = [512, 64 * 1024] as const;
/** Bytes that are read at once. */
const blockBytes = 1024 * 1024;

interface ColumnChunk {
  readonly start: number;
  readonly end: number;
}

/**
 * DuckDB does not verify the checksums of pages, which Parquet files of Spark have: of 200 files with one changed bit,
 * it read 84 to 179 with wrong values. Throws a DataProblem if a checksum does not match. Pages without a checksum are
 * not checked.
 */
export async function verifyPages(
  file: OpenedFile,
  connection: DuckDBConnection,
  signal: AbortSignal,
): Promise<void> {
  const handle = await open(file.path);
  try {
    let isFirst = true;
    for (const chunk of await chunksOf(connection, file.path)) {
      signal.throwIfAborted();
      if (!(await verifyChunk(handle, chunk, file.name, isFirst))) return;
      isFirst = false;
    }
  } finally {
    await handle.close();
  }
}

async function chunksOf(connection: DuckDBConnection, path: string): Promise<ColumnChunk[]> {
  const found = await connection.runAndReadAll(
    `SELECT least(coalesce(nullif(dictionary_page_offset, 0), data_page_offset), data_page_offset)::DOUBLE, total_compressed_size::DOUBLE FROM parquet_metadata(${literal(duckdbPath(path))})`,
  );
  return found
    .getRowsJson()
    .map(([start, size]) => ({ start: Number(start), end: Number(start) + Number(size) }));
}

/** False if the first page of the file has no checksum: a writer makes checksums for all pages, or for none. */
async function verifyChunk(
  handle: FileHandle,
  { start, end }: ColumnChunk,
  name: string,
  isFirst: boolean,
): Promise<boolean> {
  for (let at = start; at < end; ) {
    const page = await headerAt(handle, at, end);
    const isWithin = page !== undefined && at + page.length + page.bytes <= end;
    // Until a first checksum was found, it is unknown whether the pages are where this code expects them.
    if ((!isWithin || page.checksum === undefined) && isFirst && at === start) return false;
    if (!isWithin || page.checksum === undefined) throw damaged(name, at);
    if ((await checksumOf(handle, at + page.length, page.bytes)) !== page.checksum) throw damaged(name, at);
    at += page.length + page.bytes;
  }
  return true;
}

async function headerAt(handle: FileHandle, at: number, end: number): Promise<PageHeader | undefined> {
  for (const size of headerSizes) {
    const head = Buffer.alloc(Math.min(size, end - at));
    const { bytesRead } = await handle.read(head, 0, head.length, at);
    const page = readPageHeader(head.subarray(0, bytesRead));
    if (page) return page;
  }
  return undefined;
}

async function checksumOf(handle: FileHandle, from: number, length: number): Promise<number> {
  const block = Buffer.alloc(Math.min(blockBytes, length));
  let checksum = 0;
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(block, 0, Math.min(block.length, length - done), from + done);
    if (bytesRead === 0) break;
    checksum = crc32(block.subarray(0, bytesRead), checksum);
    done += bytesRead;
  }
  return checksum;
}

const damaged = (name: string, at: number): DataProblem =>
  new DataProblem(
    `${name} is damaged: the page at byte ${at} does not have the checksum that was written with it. Nothing was read. Copy the file again.`,
  );
