import assert from "node:assert/strict";
import { test } from "node:test";
import { createSealedUrls } from "./server-url.ts";

test("a URL is opened with the key and the owner that it was sealed with", () => {
  const urls = createSealedUrls(Buffer.alloc(32, 1));
  const sealed = urls.seal("host-1 a", "https://one.example:8000");
  assert.equal(urls.open("host-1 a", sealed), "https://one.example:8000");
  assert.equal(urls.open("host-2 b", sealed), undefined);
  assert.equal(createSealedUrls(Buffer.alloc(32, 2)).open("host-1 a", sealed), undefined);
  const [, mac] = sealed.split(" ");
  for (const forged of [
    "",
    "https://one.example:8000",
    `https://two.example ${mac}`,
    `${sealed.slice(0, -4)}AAAA`,
  ]) {
    assert.equal(urls.open("host-1 a", forged), undefined, forged);
  }
});

test("a sealed text that is not the URL of a server leads nowhere", () => {
  const urls = createSealedUrls(Buffer.alloc(32, 1));
  for (const url of ["file:///etc", "https://a:b@one.example", "https://one.example/path", "http://", "x"]) {
    assert.equal(urls.open("o", urls.seal("o", url)), undefined, url);
  }
});
