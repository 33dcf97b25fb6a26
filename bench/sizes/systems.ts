import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startMysql } from "@lakehelm/testing";
import { startS3 } from "../../packages/engine/src/testing/s3-server.ts";
import { startReceiver } from "./receiver.ts";
import { startRestApi } from "./rest-api.ts";
import type { SizedSystem, SystemsOptions } from "./system.ts";

/** All systems that are available on this machine. A new kind needs one more entry. */
export async function openSystems(options: SystemsOptions): Promise<SizedSystem[]> {
  const { files, postgres, closing } = options;
  const mysql = await startMysql({ after: (end) => void closing.push(end) });
  return [
    postgresql(postgres),
    postgresLog(postgres),
    ...["sqlite", "duckdb"].map((type) => database(type, files)),
    ...["csv", "jsonl", "parquet"].map((format) => fileFormat(format, files)),
    ...(mysql ? [tables("mysql", { ...mysql })] : []),
    ...(await objects(closing)),
    await startReceiver(closing),
    await startRestApi(options),
  ];
}

const configOf = (url: URL) => ({
  host: url.hostname,
  port: Number(url.port),
  database: url.pathname.slice(1),
  user: url.username,
  password: url.password,
});

const postgresql = (url: URL): SizedSystem => tables("postgresql", configOf(url));

/** Reads the log of the table that has the original rows. */
const postgresLog = (url: URL): SizedSystem => ({
  name: "postgresql_log",
  source: () => ({
    connection: { name: "log", type: "postgresql", config: { ...configOf(url), capture: "log" } },
    dataset: "orders",
  }),
  watermarks: [false],
});

/** A database server with tables. */
const tables = (type: string, config: Record<string, unknown>): SizedSystem => ({
  name: type,
  target: () => ({ type, config }),
  source: (table) => ({ connection: { name: type, type, config }, dataset: table }),
});

/** A database in a file. */
function database(type: string, files: string): SizedSystem {
  const path = join(files, `orders.${type}`);
  return { ...tables(type, { path }), clear: () => rm(path, { force: true }) };
}

function fileFormat(format: string, files: string): SizedSystem {
  const path = join(files, format);
  mkdirSync(path);
  const extension = format;
  return {
    name: format,
    clear: () => rm(path, { recursive: true }),
    target: () => ({ type: format, config: { path } }),
    source: (table) => ({
      connection: {
        name: format,
        type: "files",
        config: { path, format: format === "jsonl" ? "json" : format },
      },
      dataset: `${table}.${extension}`,
      watermark: "_file_modified",
    }),
  };
}

/** Parquet files in a bucket; none if no S3 server is installed. */
async function objects(closing: SystemsOptions["closing"]): Promise<SizedSystem[]> {
  const server = await startS3((end) => void closing.push(end));
  if (!server) return [];
  await server.createBucket("lake");
  const config = { ...server.config, path: "s3://lake/orders" };
  return [
    {
      name: "s3",
      clear: () => rm(join(server.folder, "lake", "orders"), { recursive: true }),
      target: () => ({ type: "parquet", config }),
      source: (table) => ({
        connection: { name: "lake", type: "files", config: { ...config, format: "parquet" } },
        dataset: `${table}.parquet`,
        watermark: "_file_modified",
      }),
    },
  ];
}
