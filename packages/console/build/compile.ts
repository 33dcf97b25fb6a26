import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { operations } from "@lakehelm/contract/operations";
import { build, type Metafile, type Plugin, stop } from "esbuild";
import { indexPage } from "./index-page.ts";

/**
 * Replaces the table of operations by its value, so that the browser does not load the schemas that it is made from.
 */
const operationTable: Plugin = {
  name: "operation table",
  setup({ onResolve, onLoad }) {
    const path = fileURLToPath(import.meta.resolve("@lakehelm/contract/operations"));
    onResolve({ filter: /operation-table\.ts$|^@lakehelm\/contract\/operations$/ }, () => ({ path }));
    onLoad({ filter: /operation-table\.ts$/ }, () => ({
      contents: `export const operations = JSON.parse(${JSON.stringify(JSON.stringify(operations))});`,
      loader: "js",
    }));
  },
};

/** The folders of modules that every page uses. */
const sharedFolders = ["app", "data", "format", "ui"];
const sharedName = "lakehelm:shared";

/**
 * esbuild makes a script for each set of modules that the same pages use, which would be dozens of small ones. With
 * this plugin every page imports all shared modules, which become one script.
 */
const oneSharedScript = (source: string): Plugin => ({
  name: "one shared script",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${sharedName}$`) }, () => ({ path: sharedName, namespace: "shared" }));
    onLoad({ filter: /.*/, namespace: "shared" }, async () => {
      const folders = sharedFolders.map(async (folder) =>
        (await readdir(join(source, folder))).map((name) => `import "./${folder}/${name}";`),
      );
      return { contents: (await Promise.all(folders)).flat().join("\n"), resolveDir: source };
    });
    onLoad({ filter: /[\\/]pages[\\/].*\.tsx$|[\\/]main\.tsx$/ }, async ({ path }) => ({
      contents: `${await readFile(path, "utf8")}\nimport "${sharedName}";`,
      loader: "tsx",
    }));
  },
});

/** Compiles the console. Returns the files by name, with `index.html`. Each page is a separate script. */
export async function compile(source: string): Promise<Map<string, Buffer>> {
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: { app: join(source, "main.tsx"), style: join(source, "styles/index.css") },
      outdir: "/out",
      absWorkingDir: source,
      bundle: true,
      splitting: true,
      format: "esm",
      target: "es2024",
      jsx: "automatic",
      jsxImportSource: "preact",
      minify: true,
      legalComments: "none",
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
      write: false,
      metafile: true,
      logLevel: "silent",
      plugins: [operationTable, oneSharedScript(source)],
    });
    const files = new Map<string, Buffer>();
    for (const { path, contents } of outputFiles) files.set(nameOf(path), Buffer.from(contents));
    files.set("index.html", Buffer.from(indexPage(entriesOf(metafile))));
    return files;
  } finally {
    // Otherwise esbuild's process would stay.
    await stop();
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The page's script and style sheet, and the scripts that its script imports statically. */
function entriesOf({ outputs }: Metafile) {
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const [script, output] = entries.find(([, { entryPoint }]) => entryPoint?.endsWith("main.tsx")) ?? [];
  const [style] = entries.find(([, { entryPoint }]) => entryPoint?.endsWith("index.css")) ?? [];
  if (script === undefined || style === undefined) throw new Error("The console has no script or no styles.");
  const preloads = output?.imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path);
  return { script: nameOf(script), style: nameOf(style), preloads: (preloads ?? []).map(nameOf) };
}
