/**
 * Sources without a catalog are defined by the settings of their connection: after a change of a setting that decides
 * what is read, a run reads all rows.
 */
import assert from "node:assert/strict";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readRestRequests } from "@lakehelm/contract/connections";
import { someOf } from "@lakehelm/testing/nightly";
import { filesSourceFields, supportedOptions } from "../connectors/files/read/settings.ts";
import { restSourceFields } from "../connectors/rest/settings.ts";
import { openSource } from "../connectors/source-registry.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import { changeDefinitions, type DefinableSource } from "../testing/definition-suite.ts";
import { withDuckdb } from "../testing/duckdb.ts";
import { startApi } from "../testing/rest-api.ts";
import { openSourceHarness } from "../testing/source-harness.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * Other values of settings: after a change to one in `reread` all rows are read again, after one in `harmless` nothing
 * happens.
 */
interface Settings {
  readonly reread: Values;
  readonly harmless: Values;
}

/** Every setting is in one of the lists, and the definition of `orders` depends only on those in `reread`. */
async function verifySettings(
  t: TestContext,
  names: readonly string[],
  { reread, harmless }: Settings,
  connectionWith: (values: Values) => ConnectionConfig,
): Promise<void> {
  assert.deepEqual([...Object.keys(reread), ...Object.keys(harmless)].sort(), [...names].sort());
  const { context } = await openSourceHarness(t);
  const define = async (values: Values) => {
    const source = await openSource(connectionWith(values), context);
    const defined = await source.define?.("orders", ["id"], "orders");
    await source.close();
    assert.ok(defined);
    return defined;
  };
  const { definition } = await define({});
  for (const [name, value] of Object.entries({ ...reread, ...harmless })) {
    const change = (await define({ [name]: value })).compare(definition, null);
    assert.equal(change !== undefined, name in reread, name);
  }
}

test("files: settings of the connection", (t) =>
  verifySettings(
    t,
    [...Object.keys(filesSourceFields), "columns"].filter((name) => name !== "options"),
    {
      reread: {
        path: "s3://lake/other",
        format: "json",
        endpoint: "https://other.example",
        columns: { amount: "decimal(18,2)" },
      },
      harmless: {
        ...{ region: "eu-west-1", path_style: "false" },
        ...{ access_key_id: "other", secret_access_key: "other", session_token: "other" },
      },
    },
    (values) => ({ type: "files", config: { ...lake, ...values } }),
  ));

const lake = {
  ...{ path: "s3://lake/shop", format: "csv", endpoint: "https://one.example", region: "eu-central-1" },
  ...{ path_style: "true", access_key_id: "key", secret_access_key: "secret", session_token: "token" },
};

test("files: options", (t) =>
  verifySettings(
    t,
    supportedOptions,
    {
      reread: {
        ...{ header: "false", sep: ";", quote: "'", escape: "\\", comment: "#", encoding: "latin-1" },
        ...{ nullvalue: "-", dateformat: "dd.MM.yyyy", timestampformat: "dd.MM.yyyy HH:mm" },
        ...{ inferschema: "false", pathglobfilter: "a*" },
      },
      harmless: {},
    },
    (options) => ({ type: "files", config: { ...lake, options } }),
  ));

const api = { url: "https://api.example/v1", requests: { orders: {} } };

test("REST: settings of the connection", (t) =>
  verifySettings(
    t,
    Object.keys(restSourceFields),
    {
      reread: {
        url: "https://api.example/v2",
        records_path: "data",
        requests: { orders: { path: "archive" } },
        ...{ paging: "page", watermark_param: "since" },
        // Without paging, the size of a page limits the number of rows.
        ...{ page_size: 7, batch_size: 7 },
      },
      harmless: {
        // A credential that is renewed does not change the rows.
        headers: { Authorization: "other" },
        auth: {
          ...{ type: "client_credentials", token_url: "https://login.example/token" },
          ...{ client_id: "other", client_secret: "other" },
        },
        ...{ requests_per_second: 2, timeout: 7, retries: 1 },
      },
    },
    (values) => ({ type: "rest", config: { ...api, ...values } }),
  ));

test("REST: settings of a dataset and its parent", async (t) => {
  const [request] = readRestRequests({ orders: {} }, []).values();
  const keys = { shop: "id" };
  const own = { path: "shops/{shop}", method: "post", parent: { dataset: "shops", keys }, paging: "page" };
  const settings: Settings = {
    reread: {
      path: "archive/{shop}",
      body: { region: "eu" },
      records_path: "data",
      paging: "offset",
      watermark_param: "since",
      parent: { dataset: "branches", keys },
    },
    harmless: { page_size: 7 },
  };
  const connectionWith = (orders: Values, shops: Values = { paging: "page" }) => ({
    type: "rest",
    config: { ...api, requests: { shops, orders: { ...own, ...orders } } },
  });
  const names = Object.keys(request ?? {}).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  await verifySettings(t, names, settings, connectionWith);
  const ofParent: Settings = {
    reread: { path: "archive", records_path: "data", paging: "offset", watermark_param: "since" },
    harmless: { page_size: 7 },
  };
  await verifySettings(
    t,
    names.filter((name) => name !== "body" && name !== "parent"),
    ofParent,
    (values) => connectionWith({}, { paging: "page", ...values }),
  );
});

/** `orders` with changing settings of the connection: the statement is the config. */
const configured = (
  type: string,
  config: Values,
  rowsOf: (config: Values) => Promise<string[][]>,
): DefinableSource => {
  let current = config;
  return {
    get connection() {
      return { type, config: current };
    },
    async reset() {
      current = config;
    },
    async execute(statement) {
      current = { ...current, ...(JSON.parse(statement) as Values) };
    },
    rows: () => rowsOf(current),
  };
};

const rowsWith = (prefix: string) =>
  [1, 2, 3, 4, 5, 6].map((id) => [String(id), `${prefix}${id}`, String(id * 10)]);

test("files in another folder are read again", async (t) => {
  const harness = await startTransferHarness(t);
  const folders = { n: join(harness.folder, "n"), x: join(harness.folder, "x") };
  for (const [prefix, folder] of Object.entries(folders)) {
    await mkdir(join(folder, "orders"), { recursive: true });
    const lines = ["id,name,updated_at", ...rowsWith(prefix).map((row) => row.join())];
    await writeFile(join(folder, "orders", "a.csv"), `${lines.join("\n")}\n`);
  }
  const source = configured("files", { path: folders.n, format: "csv" }, async ({ path }) =>
    rowsWith(path === folders.n ? "n" : "x"),
  );
  assert.deepEqual(
    await changeDefinitions(harness, source, "watermark", [
      [JSON.stringify({ path: folders.x })],
      [JSON.stringify({ region: "eu-west-1" })],
    ]),
    ["reread", "nothing"],
  );
});

test("records of another API, and those of further pages, are read again", async (t) => {
  const harness = await startTransferHarness(t);
  const all = { v1: rowsWith("n"), v2: rowsWith("x") };
  const api = await startApi(t, ({ pathname, searchParams }) => {
    const page = Number(searchParams.get("page") ?? 1);
    const records = pathname.startsWith("/v2") ? all.v2 : all.v1;
    return records
      .toReversed()
      .slice(3 * page - 3, 3 * page)
      .map(([id, name, updated_at]) => ({ id: Number(id), name, updated_at: Number(updated_at) }));
  });
  const source = configured("rest", { url: api.url }, async ({ url, paging }) =>
    (url === api.url ? all.v1 : all.v2).slice(paging === undefined ? 3 : 0),
  );
  assert.deepEqual(
    await changeDefinitions(harness, source, "watermark", [
      [JSON.stringify({ retries: 1 })],
      [JSON.stringify({ paging: "page" })],
      [JSON.stringify({ url: api.url.replace("v1", "v2") })],
    ]),
    ["nothing", "reread", "reread"],
  );
});

test("DuckDB: views with another definition, and another file", async (t) => {
  const harness = await startTransferHarness(t);
  const path = join(harness.folder, "shop.duckdb");
  const values = rowsWith("n").map(([id, name, at]) => `(${id}, '${name}', ${at})`);
  const create = [
    "CREATE TABLE base (id INT, name VARCHAR, updated_at INT)",
    `INSERT INTO base VALUES ${values.join()}`,
    "CREATE MACRO shown(name) AS name",
    "CREATE VIEW below AS SELECT id, shown(name) AS name, updated_at FROM base",
    "CREATE VIEW orders AS SELECT id, name, updated_at FROM below",
  ];
  const within = (file: string, statements: readonly string[]) =>
    withDuckdb(async (duck) => {
      await duck.run(`ATTACH '${file}' AS shop; USE shop`);
      for (const statement of statements) await duck.run(statement);
      const found = await duck.runAndReadAll("SELECT id, name, updated_at FROM orders");
      return found.getRowsJson().map((row) => row.map(String));
    });
  const source: DefinableSource = {
    connection: { type: "duckdb", config: { path } },
    async reset() {
      await rm(path, { force: true });
      await within(path, create);
    },
    async execute(statement) {
      if (statement !== "REPLACE") return void (await within(path, [statement]));
      await within(`${path}.new`, [...create, "UPDATE base SET name = 'copy'"]);
      await rename(`${path}.new`, path);
    },
    rows: () => within(path, []),
  };
  const changes = {
    "CREATE OR REPLACE VIEW orders AS SELECT id, upper(name) AS name, updated_at FROM below": "reread",
    "CREATE OR REPLACE VIEW below AS SELECT id, upper(name) AS name, updated_at FROM base": "reread",
    "CREATE OR REPLACE MACRO shown(name) AS upper(name)": "reread",
    "CREATE VIEW another AS SELECT 1 AS one": "nothing",
    "INSERT INTO base VALUES (8, 'new', 80)": "nothing",
    REPLACE: "reread",
  } as const;
  for (const [statement, said] of someOf(Object.entries(changes), 3))
    assert.deepEqual(await changeDefinitions(harness, source, "watermark", [[statement]]), [said], statement);
});
