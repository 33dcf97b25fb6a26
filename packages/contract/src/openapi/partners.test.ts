import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiDocument } from "./index.ts";

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string }[];
};
const paths = openApiDocument({ version: "1" }).paths as Readonly<Record<string, Record<string, Operation>>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const takesKey = ({ parameters = [] }: Operation) => JSON.stringify(parameters).includes("Idempotency");

/** Operations that create an item whose path does not begin with the path of the operation. */
const itemPaths: Readonly<Record<string, string>> = {
  bindChat: "/api/automations/chat/bindings/{binding_id}",
};

/** Operations whose result the API cannot delete, with the reason. */
const notDeleted: Readonly<Record<string, string>> = {
  runJob: "a run is cancelled; ended runs are history",
  runAutomation: "a run is cancelled; ended runs are history",
  retryRun: "a run is cancelled; ended runs are history",
  retryRejects: "a run is cancelled; ended runs are history",
  requestEnvironmentChange: "a request is withdrawn, which is recorded",
  createPlan: "a plan says what was decided; the server keeps the newest ones",
  startPipelineUpdate: "an update is a run: it is stopped; ended ones are history",
  appendDeploymentLog: "the log is deleted with its deployment",
  setDefinition: "the definition is deleted with its automation",
  limitSecretScope: "null takes a limit back, and the scope ends with its last secret",
};

/** Operations whose result can be deleted but not changed, with the reason. */
const notChanged: Readonly<Record<string, string>> = {
  createAgentVersion: "a release refers to it: what a version is stays what it was",
  requestEnvironmentChange: "what one admin asks and another approves stays as it was asked",
  createBackup: "it is what the server was at a moment",
  createToken: "a credential is replaced, not changed",
  bindChat: "binding the channel again changes the binding",
};

/** A POST to a path that can also be read, or that takes an Idempotency-Key, creates something. */
const creating = operations.filter(
  ({ path, method, operation }) =>
    method === "post" &&
    (paths[path]?.get !== undefined || takesKey(operation) || operation.operationId in itemPaths),
);

/** The path of one item below the path of its list. */
function itemPath(path: string, operationId: string): string | undefined {
  const below = Object.keys(paths).find(
    (other) => other.startsWith(`${path}/{`) && !other.slice(path.length + 1).includes("/"),
  );
  return itemPaths[operationId] ?? below;
}

test("what a POST creates can be changed and deleted", () => {
  assert.ok(creating.length >= 15);
  const found: string[] = [];
  for (const { path, operation } of creating) {
    const { operationId } = operation;
    if (operationId in notDeleted) continue;
    const item = paths[itemPath(path, operationId) ?? ""];
    if (!item?.delete) found.push(`${operationId} has no DELETE`);
    if (!item?.patch && !item?.put && !(operationId in notChanged)) found.push(`${operationId} has no PATCH`);
  }
  assert.deepEqual(found, []);
});

test("what a PUT creates can be deleted", () => {
  const puts = operations.filter(({ method }) => method === "put");
  assert.ok(puts.length >= 5);
  const found = puts.filter(
    ({ path, operation }) => !(operation.operationId in notDeleted) && !paths[path]?.delete,
  );
  assert.deepEqual(
    found.map(({ operation }) => operation.operationId),
    [],
  );
});

test("every exception names an operation", () => {
  const ids = new Set(operations.map(({ operation }) => operation.operationId));
  const named = [itemPaths, notDeleted, notChanged].flatMap(Object.keys);
  assert.deepEqual(
    named.filter((id) => !ids.has(id)),
    [],
  );
});
