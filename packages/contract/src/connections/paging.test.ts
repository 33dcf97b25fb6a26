import assert from "node:assert/strict";
import { test } from "node:test";
import { readPaging } from "./index.ts";

function read(value: unknown) {
  const problems: string[] = [];
  return { paging: readPaging(value, problems), problems };
}
const defaults = { first: 1, nextPath: null, morePath: null, sizeParameter: "limit" };

test("paging is a type, a map with a type, or absent", () => {
  assert.deepEqual(read(undefined), {
    paging: { ...defaults, type: "none", parameter: "none" },
    problems: [],
  });
  assert.deepEqual(read("page").paging, { ...defaults, type: "page", parameter: "page" });
  assert.deepEqual(
    read({ type: "cursor", parameter: "after", next_path: "meta.next", size_parameter: "n" }),
    {
      paging: {
        type: "cursor",
        parameter: "after",
        first: 1,
        nextPath: "meta.next",
        morePath: null,
        sizeParameter: "n",
      },
      problems: [],
    },
  );
});

for (const [value, ...problems] of [
  [
    5,
    "connection.config.paging: it must be one of none, page, offset, cursor, link, or a map with such a type.",
  ],
  ["scroll", 'connection.config.paging.type: "scroll" is not one of none, page, offset, cursor, link.'],
  [{}, "connection.config.paging.type: it is required."],
  [
    { type: "cursor" },
    "connection.config.paging.next_path: it is required: the path of the next cursor in a response.",
  ],
  [
    { type: "offset", first: 1 },
    'connection.config.paging: "first" has no effect with type offset. Expected type, size_parameter, parameter.',
  ],
  [{ type: "page", first: -1 }, "connection.config.paging.first: it must be an integer from 0 to 1000000."],
  [
    { type: "link", parameter: "{{x}}" },
    'connection.config.paging.parameter: it must not contain "{{".',
    'connection.config.paging: "parameter" has no effect with type link. Expected type, size_parameter, next_path, more_path.',
  ],
] as const satisfies [unknown, ...string[]][]) {
  test(`problem: ${JSON.stringify(value)}`, () => assert.deepEqual(read(value).problems, problems));
}
