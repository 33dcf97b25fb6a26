import assert from "node:assert/strict";
import { test } from "node:test";
import { answerText } from "./answer-text.ts";

const json = "application/json; charset=utf-8";

test("the text is extracted from each supported response format, and from no other", () => {
  for (const [type, body, expected] of [
    [json, '{"output_text":"a","messages":[{"content":"b"}]}', "a"],
    [json, '{"choices":[{"message":{"content":"c"}},{"message":{"content":"d"}}]}', "c"],
    [json, '{"messages":[{"content":"e"},{"content":"f"}]}', "f"],
    ["application/vnd.agent+json", '"g"', "g"],
    ["text/plain", " h\n", "h"],
    [undefined, "i", "i"],
    [json, '{"output_text":"  ","messages":[]}', undefined],
    [json, '{"output_text":7,"choices":{"0":"x"},"messages":null}', undefined],
    [json, "no JSON", undefined],
    [json, "null", undefined],
    ["text/plain", " ", undefined],
  ] as const) {
    assert.equal(answerText(type, body), expected, body);
  }
});
