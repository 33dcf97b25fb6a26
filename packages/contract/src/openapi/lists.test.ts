import assert from "node:assert/strict";
import { test } from "node:test";
import { type Endpoint, endpoints, isList } from "../index.ts";
import type * as s from "../schema/index.ts";
import { openApiDocument } from "./index.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[];
}
const { paths } = openApiDocument({ version: "1" });
const gets = new Map(
  Object.values(paths as Readonly<Record<string, { readonly get?: Operation }>>).flatMap(({ get }) =>
    get ? [[get.operationId, get] as const] : [],
  ),
);
const lists = Object.entries<Endpoint>(endpoints).filter(([, endpoint]) => isList(endpoint));

const parametersOf = (name: string) =>
  new Set(
    gets.get(name)?.parameters?.flatMap((parameter) => (parameter.in === "query" ? parameter.name : [])) ??
      [],
  );

/** Parameters that every list has. */
const everywhere = ["name", "search", "sort", "cursor", "limit"];
const byField: Readonly<Record<string, readonly string[]>> = {
  status: ["status"],
  environment_id: ["environment"],
  created_at: ["created_after", "created_before"],
  updated_at: ["updated_after", "updated_before"],
  created_by: ["owner"],
};

const log = {
  name: "lines of one log",
  search: "lines of one log",
  sort: "in the order of the lines",
  cursor: "`after` and `next_after`",
};
const ofOneJob = { name: "the runs of one job" };
const header = { environment: "`X-Environment-Id`: the list is that of one environment" };

/** Parameters that a list lacks, with the reason. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  readAgentLog: log,
  readAppLog: log,
  readRunLog: { name: log.name, sort: log.sort, cursor: log.cursor },
  listRunsOfJob: { ...ofOneJob, environment: "the runs of one job" },
  listAutomationRuns: { ...ofOneJob, ...header },
  listPipelineUpdates: ofOneJob,
  listDeliveries: {
    name: "a message has none; `binding` names its channel",
    status: "`state`; the status of a delivery is that of an HTTP response",
  },
  listDrift: {
    name: "several differences have the name of their resource: `search`, or `resource` for one",
    sort: "the oldest difference first",
  },
  listPipelineEvents: {
    name: "the events of one pipeline, or of one update: `update_id`",
    search: "the events of one pipeline",
    sort: "in the order of the events",
    cursor: "`after` and `next_after`",
  },
  listRejects: {
    name: "rows of the target: they are read with a query of the warehouse",
    search: "rows of the target",
    sort: "rows of the target",
    cursor: "rows of the target",
  },
  listCodegenTemplates: Object.fromEntries(
    everywhere.map((parameter) => [parameter, "a fixed list of a few templates"]),
  ),
  listPipelines: { status: "health is computed when it is read" },
};

/** The fields of the items of the first list in the response. */
function itemFields({ response }: Endpoint): string[] {
  const schema = response.jsonSchema(new Map()) as { readonly $ref?: string };
  const refs = new Map<string, s.JsonSchema>();
  response.jsonSchema(refs);
  const model = (ref: string | undefined) =>
    refs.get(ref?.split("/").at(-1) ?? "") as {
      readonly properties?: Readonly<
        Record<string, { readonly type?: string; readonly items?: { readonly $ref?: string } }>
      >;
    };
  const page = Object.values(model(schema.$ref)?.properties ?? {});
  const list = page.find(({ type, items }) => type === "array" && items?.$ref !== undefined);
  return Object.keys(model(list?.items?.$ref)?.properties ?? {});
}

test("every list has the filters of its fields, search, an order and cursors", () => {
  assert.ok(lists.length >= 25);
  const missing: string[] = [];
  for (const [name, endpoint] of lists) {
    const fields = itemFields(endpoint);
    const wanted = [
      ...everywhere,
      ...Object.keys(byField).flatMap((field) => (fields.includes(field) ? (byField[field] ?? []) : [])),
    ];
    const has = parametersOf(name);
    missing.push(
      ...wanted
        .filter((parameter) => !has.has(parameter) && !(parameter in (exceptions[name] ?? {})))
        .map((parameter) => `${name}: ${parameter}`),
    );
  }
  assert.deepEqual(missing, []);
});

test("every exception is one", () => {
  const wrong = Object.entries(exceptions).flatMap(([name, reasons]) =>
    Object.keys(reasons)
      .filter((parameter) => !gets.has(name) || parametersOf(name).has(parameter))
      .map((parameter) => `${name}: ${parameter}`),
  );
  assert.deepEqual(wrong, []);
});

test("the event log is filtered by time, kind, actor, name and environment, in both orders", () => {
  const has = parametersOf("readEvents");
  const wanted = ["kind", "subject", "actor", "name", "environment", "created_after", "created_before"];
  assert.deepEqual(
    [...wanted, "search", "sort", "cursor", "limit", "after"].filter((parameter) => !has.has(parameter)),
    [],
  );
});
