import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import { openApiDocument } from "./index.ts";
import { tags } from "./prose.ts";
import type { OperationObject, Parameter } from "./types.ts";

const document = openApiDocument({ version: "1.2.3" });
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values<OperationObject>(item).map(
      (operation) => [operation.operationId, { path, operation }] as const,
    ),
  ),
);
const all = Object.entries<Endpoint>(endpoints);

function operationOf(name: string): OperationObject {
  const found = operations.get(name);
  assert.ok(found, `${name} is not in the document`);
  return found.operation;
}

const parameterNames = (name: string) =>
  operationOf(name).parameters.map((parameter) => {
    const resolved = "$ref" in parameter ? (at(parameter.$ref) as Parameter) : parameter;
    return `${resolved.in} ${resolved.name}`;
  });

function at(ref: string): unknown {
  const steps = ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    document,
  );
}

function refsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref" && typeof inner === "string") found.add(inner);
    else refsIn(inner, found);
  }
  return found;
}

test("every endpoint is printed once, under its name", () => {
  assert.deepEqual([...operations.keys()].sort(), all.map(([name]) => name).sort());
});

test("every reference resolves, and every component is used", () => {
  const refs = refsIn(document);
  for (const ref of refs) assert.notEqual(at(ref), undefined, ref);
  const { securitySchemes, ...components } = document.components;
  for (const [group, members] of Object.entries(components)) {
    for (const name of Object.keys(members)) assert.ok(refs.has(`#/components/${group}/${name}`), name);
  }
  assert.deepEqual(Object.keys(securitySchemes), ["bearer", "serviceAuth"]);
});

test("the output is deterministic, with components sorted by name", () => {
  assert.equal(JSON.stringify(document), JSON.stringify(openApiDocument({ version: "1.2.3" })));
  for (const members of Object.values(document.components)) {
    const names = Object.keys(members);
    assert.deepEqual(names, [...names].sort());
  }
});

/** Every property of a schema, wherever it is, with its location. */
function propertiesIn(value: unknown, at: string): [location: string, name: string, schema: unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "example" || key === "examples" || key === "default") return [];
    const found = propertiesIn(inner, `${at}/${key}`);
    if (key !== "properties" || at.endsWith("/properties")) return found;
    const own = Object.entries(inner).map(
      ([name, schema]) => [at, name, schema] as [string, string, unknown],
    );
    return [...own, ...found];
  });
}

/** In this form, `created_at` equals "The created at.": a description that only repeats the name. */
const wordsOf = (text: string) => text.toLowerCase().replaceAll(/\b(?:the|a|an|of|this)\b|[^a-z]/g, "");

function requireDescription(location: string, name: string, described: unknown): void {
  const { description } = described as { description?: unknown };
  assert.equal(typeof description, "string", `${location}: ${name} has no description`);
  assert.ok(/^\S.*[.:]$/s.test(String(description)), `${location}: ${name} is not described by a sentence`);
  assert.notEqual(wordsOf(String(description)), wordsOf(name), `${location}: ${name} only repeats its name`);
}

test("every property, parameter and header is described, and not only by its name", () => {
  const properties = propertiesIn(document, "");
  assert.ok(properties.length > 900, `${properties.length} properties were found`);
  for (const [location, name, schema] of properties) requireDescription(location, name, schema);
  const { parameters, headers } = document.components;
  const own = [...operations.values()].flatMap(({ path, operation }) =>
    operation.parameters.flatMap((parameter) =>
      "$ref" in parameter ? [] : [[`${operation.operationId} ${path}`, parameter] as const],
    ),
  );
  assert.ok(own.length > 300, `${own.length} parameters were found`);
  for (const [location, parameter] of own) requireDescription(location, parameter.name, parameter);
  for (const [name, shared] of Object.entries({ ...parameters, ...headers })) {
    requireDescription("components", name, shared);
  }
});

test("every tag is described and used", () => {
  const used = new Set(all.map(([, endpoint]) => endpoint.tag));
  assert.deepEqual(tags.map((tag) => tag.name as string).sort(), [...used].sort());
});

test("an endpoint has its contract number or is marked as an extension", () => {
  assert.equal(operationOf("createConnector")["x-contract-number"], 12);
  assert.equal(operationOf("getConnector")["x-extension"], true);
  const numbers = [...operations.values()].flatMap(({ operation }) => operation["x-contract-number"] ?? []);
  const expected = Array.from({ length: 20 }, (_, index) => index + 1);
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    expected,
  );
});

test("shared parameters are listed where the server accepts them", () => {
  assert.deepEqual(parameterNames("createConnector"), [
    "query dry_run",
    "header X-Environment-Id",
    "header Idempotency-Key",
    "header X-Request-Id",
  ]);
  assert.deepEqual(parameterNames("updateConnector"), [
    "path connector_id",
    "query dry_run",
    "header If-Match",
    "header X-Request-Id",
  ]);
  assert.deepEqual(parameterNames("getConnector"), [
    "path connector_id",
    "header If-None-Match",
    "header X-Request-Id",
  ]);
  assert.deepEqual(parameterNames("listConnectors").includes("header If-None-Match"), false);
  assert.deepEqual(parameterNames("testBinding"), ["path binding_id", "header X-Request-Id"]);
});

test("public endpoints require no token and cannot reject one", () => {
  assert.deepEqual(operationOf("getInfo").security, []);
  assert.equal(operationOf("getInfo").responses["401"], undefined);
  assert.equal(operationOf("listConnectors").security, undefined);
  assert.ok(operationOf("listConnectors").responses["403"]);
});

test("health returns 503 with the body of 200", () => {
  const { responses } = operationOf("getHealth");
  const schemaOf = (status: string) => {
    const response = responses[status];
    return response && "content" in response ? response.content?.["application/json"]?.schema : undefined;
  };
  assert.deepEqual(schemaOf("503"), { $ref: "#/components/schemas/Health" });
  assert.deepEqual(schemaOf("503"), schemaOf("200"));
});

test("streams have their content types", () => {
  const typesOf = (name: string) => {
    const success = operationOf(name).responses["200"];
    return success && "content" in success ? Object.keys(success.content) : [];
  };
  assert.deepEqual(typesOf("readEvents"), ["application/json", "text/event-stream"]);
  assert.deepEqual(typesOf("getMetrics"), ["text/plain"]);
  assert.deepEqual(typesOf("getFile"), ["application/octet-stream"]);
});

test("wildcard paths and trailing slashes are printed as OpenAPI paths", () => {
  assert.equal(operations.get("getFile")?.path, "/api/v1/files/{path}");
  assert.equal(operations.get("createConnector")?.path, "/api/v1/connectors");
});

for (const [name, { path, creates, versioned, method, errors = [] }] of all) {
  test(`${name} lists the errors that its properties imply`, () => {
    if (path.includes("{")) assert.ok(errors.includes(404), "404: it looks something up");
    if (creates) assert.ok(errors.includes(409), "409: its Idempotency-Key may be used already");
    const takesVersion = versioned && method !== "GET" && method !== "POST";
    assert.equal(errors.includes(412), takesVersion === true, "412 goes with If-Match");
  });
}

test("no two values of an enum differ only by case: client generators make the same name of them", () => {
  let count = 0;
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "enum" && Array.isArray(inner)) {
        count += 1;
        const names = inner.map((one) => String(one).toLowerCase());
        assert.equal(new Set(names).size, names.length, `${path}: ${inner.join(", ")}`);
      } else visit(inner, `${path}/${key}`);
    }
  };
  visit(document, "");
  assert.ok(count > 50, String(count));
});
