import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { suite, test } from "node:test";
import fc from "fast-check";
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
    test(`${path} is fine`, () => assert.equal(pathProblem(path), undefined));
  }

  const wrong: [path: string, said: RegExp][] = [
    ["", /empty part/],
    ["../a", /leaves/],
    ["a/../../b", /leaves/],
    ["/etc/passwd", /absolute/],
    ["a//b", /empty part/],
    ["./a", /empty part/],
    ["a/", /empty part/],
    ["a\\b", /backslash/],
    ["C:a", /Windows/],
    ["a?b", /Windows/],
    ["a\nb", /cannot be seen/],
    ["a\u202Eb", /cannot be seen/],
    ["a.", /dot or a blank/],
    ["a /b", /dot or a blank/],
    ["NUL", /device/],
    ["a/com1.py", /device/],
    ["lpt¹.txt", /device/],
    [".GIT/config", /repository/],
    ["ü".repeat(101), /200 bytes/],
    [`${"a/".repeat(200)}b`, /400 characters/],
  ];
  for (const [path, said] of wrong) {
    test(`${JSON.stringify(path.slice(0, 30))} is refused`, () =>
      assert.match(pathProblem(path) ?? "", said));
  }

  test("that passes stays in its folder on every system", () => {
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

suite("the paths of a set", () => {
  const problems = (...paths: string[]) => pathProblems(paths.map(json)).flat();
  test("differ", () => assert.deepEqual(problems("a.json", "b.json", "c/a.json"), []));
  test("differ where case is ignored", () => assert.equal(problems("a.json", "A.json").length, 2));
  test("differ where accents are composed", () => {
    assert.equal(problems("\u00e9.json", "e\u0301.json").length, 2);
  });
  test("are no file and folder at once", () =>
    assert.match(problems("a.json", "a.json/b.json").join(), /folder/));
  test("are each fine", () => assert.match(problems("../a.json").join(), /The path leaves its folder/));
  test("end as their kind does", () => assert.match(problems("a.py").join(), /json file/));
});
