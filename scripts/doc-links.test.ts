import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const notOurs = /node_modules|\/golden\//;
const filesLike = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (path) => notOurs.test(`${path}/`) }).sort();

/** The text without code blocks, which contain brackets and `#`. */
const textOf = (path: string) => readFileSync(join(root, path), "utf8").replaceAll(/^ *```.*?^ *```/gms, "");

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/(?<!\w)_|_(?!\w)/g, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** What is wrong with a link to a file of this repository; undefined: nothing. */
function problemOf(path: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(root, path))) return "there is no such file";
  if (anchor && path.endsWith(".md") && !anchorsOf(path).includes(anchor)) return "there is no such heading";
  return undefined;
}

test("links between pages lead to files and headings that exist", () => {
  const broken = filesLike("**/*.md").flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const problem = problemOf(path === "" ? page : normalize(join(dirname(page), path)), anchor);
      return problem ? [`${page}: ${link}: ${problem}`] : [];
    }),
  );
  assert.deepEqual(broken, []);
});

test("pages that code and messages name exist", () => {
  const broken = filesLike("{packages,scripts,bench,soak,security,examples}/**/*.{ts,tsx,yaml,yml}").flatMap(
    (file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/\bdocs\/[\w/-]+\.md(?:#([\w-]+))?/g)].flatMap(
        ([link, anchor]) => {
          const problem = problemOf(link.split("#")[0] ?? link, anchor);
          return problem ? [`${file}: ${link}: ${problem}`] : [];
        },
      ),
  );
  assert.deepEqual(broken, []);
});

test("each decision has its four paragraphs and a line in the index", () => {
  const index = readFileSync(join(root, "docs/decisions/README.md"), "utf8");
  const wrong = filesLike("docs/decisions/[0-9]*.md").flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8");
    const missing = ["Context", "Choice", "Evidence", "Revisit"].filter(
      (one) => !text.includes(`\n**${one}`),
    );
    const isListed = index.includes(`(${page.slice("docs/decisions/".length)})`);
    return [...missing, ...(isListed ? [] : ["the line in the index"])].map(
      (one) => `${page}: ${one} is missing`,
    );
  });
  assert.deepEqual(wrong, []);
});
