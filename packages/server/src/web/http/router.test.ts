import assert from "node:assert/strict";
import { test } from "node:test";
import { type Endpoint, endpoint } from "@lakehelm/contract";
import { string } from "@lakehelm/contract/schema";
import { createRouter } from "./router.ts";

const at = (method: Endpoint["method"], path: string) => ({
  endpoint: endpoint({
    method: method as "POST",
    changes: "nothing",
    path,
    tag: "t",
    summary: "s",
    access: "public",
    scope: "server",
    response: string(),
  }),
  target: `${method} ${path}`,
});
const route = createRouter([
  at("GET", "/things/"),
  at("POST", "/things/"),
  at("GET", "/things/{id}"),
  at("DELETE", "/things/{id}"),
  at("POST", "/things/stop"),
  at("GET", "/things/{id}/parts/{part}"),
  at("GET", "/things/special/parts/{name}"),
  at("GET", "/files"),
  at("GET", "/files/{path*}"),
  at("PUT", "/files/{path*}"),
]);

const found = (method: string, path: string) => {
  const match = route(method, path);
  return match.kind === "found" ? [match.route.target, match.params] : match;
};
const unknown = { kind: "unknown" };

test("a path is found with and without its trailing slash", () => {
  for (const path of ["/things", "/things/"]) assert.deepEqual(found("GET", path), ["GET /things/", {}]);
  for (const path of ["/things/1", "/things/1/"]) {
    assert.deepEqual(found("GET", path), ["GET /things/{id}", { id: "1" }]);
  }
  assert.deepEqual(found("GET", "/files/"), ["GET /files", {}]);
});

test("values are decoded after the path is split", () => {
  assert.deepEqual(found("GET", "/things/a%2Fb%20%C3%BC/parts/2"), [
    "GET /things/{id}/parts/{part}",
    { id: "a/b ü", part: "2" },
  ]);
  for (const path of ["/things/%", "/things/%zz", "/things/%ff", "/things/1/parts/%c3%28"]) {
    assert.deepEqual(found("GET", path), { kind: "malformed" }, path);
  }
  assert.deepEqual(found("GET", "/things/%00"), ["GET /things/{id}", { id: "\0" }]);
});

test("a fixed segment wins over a parameter, which matches everything else", () => {
  assert.deepEqual(found("POST", "/things/stop"), ["POST /things/stop", {}]);
  assert.deepEqual(found("GET", "/things/stop"), ["GET /things/{id}", { id: "stop" }]);
  assert.deepEqual(found("GET", "/things/special"), ["GET /things/{id}", { id: "special" }]);
  assert.deepEqual(found("GET", "/things/special/parts/1"), [
    "GET /things/special/parts/{name}",
    { name: "1" },
  ]);
});

test("a rest parameter matches slashes", () => {
  assert.deepEqual(found("GET", "/files/a/b%2Fc.txt"), ["GET /files/{path*}", { path: "a/b/c.txt" }]);
  assert.deepEqual(found("PUT", "/files/a//b"), ["PUT /files/{path*}", { path: "a//b" }]);
});

test("an unsupported method returns the supported ones", () => {
  assert.deepEqual(route("PUT", "/things/"), { kind: "wrongMethod", allowed: ["GET", "HEAD", "POST"] });
  assert.deepEqual(route("PUT", "/things/stop"), {
    kind: "wrongMethod",
    allowed: ["DELETE", "GET", "HEAD", "POST"],
  });
  assert.deepEqual(route("POST", "/files/a"), { kind: "wrongMethod", allowed: ["GET", "HEAD", "PUT"] });
});

test("HEAD matches the route of GET", () => {
  assert.deepEqual(found("HEAD", "/things/1"), ["GET /things/{id}", { id: "1" }]);
});

test("anything else is unknown", () => {
  for (const path of [
    "",
    "/",
    "//",
    "/thing",
    "/things//",
    "//things",
    "/things/1/parts",
    "/things/1//parts/2",
    "*",
  ]) {
    assert.deepEqual(found("GET", path), unknown, path);
  }
});
