import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { csvRecords } from "./csv-records.ts";
import { readFilesSettings } from "./settings.ts";

const cases = [
  [
    "without quotes",
    "a,b\n\n1,\n,2",
    {},
    [
      [1, "a", "b"],
      [3, "1", ""],
      [4, "", "2"],
    ],
  ],
  [
    "all quoted",
    '"a","b"\n"1","x,y"\n"","z"\n',
    {},
    [
      [1, "a", "b"],
      [2, "1", "x,y"],
      [3, "", "z"],
    ],
  ],
  [
    "quotes in quotes",
    '"a ""b""",1\n"""",2\n"c"",""d",3\n',
    {},
    [
      [1, 'a "b"', "1"],
      [2, '"', "2"],
      [3, 'c","d', "3"],
    ],
  ],
  [
    "lines in quotes",
    '1,"two\nlines"\n2,"three\n\nlines"\n3,x\n',
    {},
    [
      [1, "1", "two\nlines"],
      [3, "2", "three\n\nlines"],
      [6, "3", "x"],
    ],
  ],
  [
    "pairs of line ends",
    '1,"two\r\nlines"\r\n2,x\r\n"3","y"\r\n',
    {},
    [
      [1, "1", "two\r\nlines"],
      [3, "2", "x"],
      [4, "3", "y"],
    ],
  ],
  [
    "carriage returns",
    '1,"a\rb"\r2,x',
    {},
    [
      [1, "1", "a\rb"],
      [3, "2", "x"],
    ],
  ],
  [
    "another escape",
    '"a\\"b","\\\\"\n"c\\d",e\n"f","g\\"\n"\n',
    { escape: "\\" },
    [
      [1, 'a"b', "\\"],
      [2, "c\\d", "e"],
      [3, "f", 'g"\n'],
    ],
  ],
  ["no escape", '"a\\",b\n', { escape: "" }, [[1, "a\\", "b"]]],
  ["no quotes in the dialect", '"a,b"\n', { quote: "" }, [[1, '"a', 'b"']]],
  ["comments", "#x\na,#b\n#y\n", { comment: "#" }, [[2, "a", "#b"]]],
  ["a quote that is not closed", 'a,b\nc,"d\ne,f\n', {}, [[1, "a", "b"]]],
] as const;

test("records have the values and lines of a CSV file in any dialect, however the file is split into pieces", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "csv-records-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "a.csv");
  for (const [name, text, options, expected] of cases) {
    // A long first record moves the other records to the end of the first chunk of 256 KB, or beyond it.
    for (const filler of [0, 256 * 1024 - 3, 256 * 1024 - 2, 256 * 1024 - 1, 256 * 1024 - 5]) {
      const newLine = text.includes("\r\n") ? "\r\n" : text.includes("\r") ? "\r" : "\n";
      const first = filler === 0 ? "" : "x".repeat(filler - newLine.length) + newLine;
      await writeFile(path, first + text);
      const dialect = readFilesSettings({ path: folder, format: "csv", options });
      const found: unknown[] = [];
      let characters = 0;
      const count = (read: number) => {
        characters += read;
      };
      for await (const records of csvRecords(path, dialect, newLine, count)) {
        found.push(...records.map(({ line, values }) => [line - (filler === 0 ? 0 : 1), ...values]));
      }
      assert.deepEqual(filler === 0 ? found : found.slice(1), expected, `${name} after ${filler}`);
      assert.equal(characters, first.length + text.length);
    }
  }
});
