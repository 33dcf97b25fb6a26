import assert from "node:assert/strict";
import test from "node:test";
import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { hidden } from "@lakehelm/contract/text";
import { hostileName, hostileText } from "@lakehelm/sql/testing";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { checkNotebook } from "../evidence/python/notebook-check.ts";
import { production } from "../testing/contexts.ts";
import { generateMetadata } from "./metadata-generator.ts";
import { metadataFailures } from "./read-back-check.ts";

const description = () => fc.option(hostileText(), { nil: null });
const tags = (key: fc.Arbitrary<string>) =>
  fc.option(
    fc.dictionary(
      key,
      fc.oneof(
        { weight: 5, arbitrary: hostileText().map((text) => text.trim()) },
        fc.constant(null),
        fc.integer(),
        fc.boolean(),
      ),
      { maxKeys: 4 },
    ),
    { nil: null },
  );

const requests = (name: fc.Arbitrary<string>, key: fc.Arbitrary<string>): fc.Arbitrary<GlossaryUpdateInput> =>
  fc.record({
    catalog_name: name,
    schema_name: name,
    table_name: name,
    change: fc.record({
      table_description: description(),
      table_tags: tags(key),
      columns: fc.array(fc.record({ column: name, description: description(), column_tags: tags(key) }), {
        maxLength: 3,
      }),
    }),
  });

/** Names that are mostly accepted, so that requests get as far as their descriptions and tags. */
const harmless = fc.constantFrom("orders", "select", "größe", "a`b", "it's", "x--y", "a*b", "{{x}}", "a$b");
const keys = fc.constantFrom("k", "it's", "a b", "k`", "k\\", "$k", "{{k}}", "*k", "__proto__", "#", "größe");

/** Whether a request is accepted. Checks its problems or its artifacts. */
function isAccepted(request: GlossaryUpdateInput): boolean {
  const known = {
    description: request.change.table_description ?? null,
    tags: { k: "earlier" },
    columns: {},
  };
  const { artifacts, errors } = generateMetadata(request, production, known);
  if (errors) {
    assert.ok(errors.length > 0);
    for (const error of errors) assert.doesNotMatch(error, hidden);
    return false;
  }
  assert.deepEqual(metadataFailures(request, artifacts), []);
  for (const { path, content, fileType } of artifacts) {
    assert.match(
      path,
      /^src\/metadata(?:[./][a-z0-9][a-z0-9_-]*){3}\/[0-9a-f]{8}\/(?:alter\.sql|alter\.py|undo\.sql)$/,
    );
    if (fileType === "python") assert.deepEqual(checkNotebook(content).problems, []);
    else assert.doesNotMatch(content.replaceAll("\n", ""), hidden);
  }
  return true;
}

test("hostile text in any field is preserved exactly or refused", () => {
  fc.assert(
    fc.property(requests(hostileName(), hostileName()), (request) => void isAccepted(request)),
    { numRuns: randomCases(1500) },
  );
});

test("hostile text in descriptions and tags is preserved exactly", () => {
  let accepted = 0;
  const numRuns = randomCases(1500);
  fc.assert(
    fc.property(requests(harmless, keys), (request) => {
      accepted += Number(isAccepted(request));
    }),
    { numRuns },
  );
  assert.ok(accepted > numRuns / 3, `only ${accepted} of ${numRuns} requests were accepted`);
});
