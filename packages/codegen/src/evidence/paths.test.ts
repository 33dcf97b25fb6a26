import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { suite, test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import type { Artifact } from "../artifact.ts";
import { pathProblem, pathProblems } from "./paths.ts";

const json = (path: string): Artifact => ({ path, content: "{}\n", fileType: "json", about: "" });

suite("a path", () => {
  for (const path of [
    "databricks.yml",
    "src/a-b/c_d.py",
    "src/übersicht/x y.json",
    ".hidden/a",
    "console.py",
  ]) {
    test(`${path} is accepted`, () => assert.equal(pathProblem(path), undefined));
  }

  const wrong: [path: string, expected: RegExp][] = [
    ["", /empty segment/],
    ["../a", /outside its folder/],
    ["a/../../b", /outside its folder/],
    ["/etc/passwd", /absolute/],
    ["a//b", /empty segment/],
    ["./a", /empty segment/],
    ["a/", /empty segment/],
    ["a\\b", /backslash/],
    ["C:a", /Windows/],
    ["a?b", /Windows/],
    ["a\nb", /invisible/],
    ["a\u202Eb", /invisible/],
    ["a.", /dot or a space/],
    ["a /b", /dot or a space/],
    ["NUL", /device/],
    ["a/com1.py", /device/],
    ["lpt¹.txt", /device/],
    [".GIT/config", /repository/],
    ["ü".repeat(101), /200 bytes/],
    [`${"a/".repeat(200)}b`, /400 characters/],
  ];
  for (const [path, expected] of wrong) {
    test(`${JSON.stringify(path.slice(0, 30))} is refused`, () =>
      assert.match(pathProblem(path) ?? "", expected));
  }

  test("that is accepted stays in its folder on every system", () => {
    const piece = fc.constantFrom(
      "a",
      "..",
      ".",
      "",
      " ",
      "/",
      "\\",
      "C:",
      "b.py",
      "nul",
      "\0",
      "é",
      "~",
      "%2e",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = pieces.join("");
        if (pathProblem(path) !== undefined) return;
        assert.equal(posix.join("/root", path), `/root/${path}`);
        assert.equal(win32.join("D:\\root", path), `D:\\root\\${path.replaceAll("/", "\\")}`);
      }),
    );
  });
});

suite("the paths of a set are", () => {
  const problems = (...paths: string[]) => pathProblems(paths.map(json)).flat();
  test("accepted if they differ", () => assert.deepEqual(problems("a.json", "b.json", "c/a.json"), []));
  test("refused if they differ only in case", () => assert.equal(problems("a.json", "A.json").length, 2));
  test("refused if they differ only in how accents are composed", () => {
    assert.equal(problems("\u00e9.json", "e\u0301.json").length, 2);
  });
  test("refused if one is both a file and a folder", () =>
    assert.match(problems("a.json", "a.json/b.json").join(), /folder/));
  test("each checked", () =>
    assert.match(problems("../a.json").join(), /The path points outside its folder/));
  test("refused without the ending of their file type", () =>
    assert.match(problems("a.py").join(), /json file/));
});
