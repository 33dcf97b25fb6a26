import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson, encodeJson } from "./json.ts";

test("integers beyond 2^53 are bigints, everything else is what JSON.parse reads", () => {
  const exact = '{"a":[9007199254740993,-9007199254740993],"b":{"9007199254740993":"9007199254740993"}}';
  assert.deepEqual(decodeJson(exact), {
    a: [9007199254740993n, -9007199254740993n],
    b: { "9007199254740993": "9007199254740993" },
  });
  for (const text of [
    '{"n":1234567890123456.5,"e":1e21,"s":"a\\"]},:\\\\ 1234567890123456789 \\u00e9","x":[[],{}],"t":[true,false,null]}',
    ' [ 1234567890123456 , "" , { "k" : [ -0 , 0.1234567890123456 ] } ] ',
  ]) {
    assert.deepEqual(decodeJson(text), JSON.parse(text));
  }
});

test("a key __proto__ is an ordinary key", () => {
  const decoded = decodeJson('{"__proto__":{"big":9007199254740993}}') as object;
  assert.deepEqual(Object.keys(decoded), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(decoded), Object.prototype);
});

test("text that is not JSON is refused", () => {
  for (const text of ["", "{", "9007199254740993]", "NaN"])
    assert.throws(() => decodeJson(text), SyntaxError);
});

test("bigints are written as digits, other values as JSON.stringify writes them", () => {
  assert.equal(
    encodeJson({ a: 9007199254740993n, b: [undefined, 1n] }),
    '{"a":9007199254740993,"b":[null,1]}',
  );
  const plain = { at: new Date(0), none: undefined, toJSON: 1, list: [null, "ä", 1.5], nested: { ok: true } };
  assert.equal(encodeJson(plain), JSON.stringify(plain));
});
