import assert from "node:assert/strict";
import { test } from "node:test";
import { isReservedName } from "./reserved-names.ts";

test("names that look like an actor of the server are reserved", () => {
  const names = [
    "internal-service",
    "Internal Service",
    "INTERNAL_SERVICE",
    " scheduler ",
    "sched\u200Buler",
    "ｐｌａｔｆｏｒｍ",
    "wоrker",
    "lakehelm\u202E",
    "Lákehelm",
    "anonymous",
    "app/orders",
    " Agent/orders",
    "ａｐｐ/orders",
  ];
  for (const name of names) assert.ok(isReservedName(name), JSON.stringify(name));
});

test("other names are not reserved", () => {
  for (const name of [
    "ada",
    "ada@example.com",
    "platform-team",
    "worker7",
    "Іван",
    "app",
    "agent smith",
    "日本",
  ]) {
    assert.ok(!isReservedName(name), name);
  }
});
