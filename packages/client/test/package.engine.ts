/** Packs the client, installs the tarball in an empty folder without a registry, and uses it there. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestServer } from "../../server/src/testing/server.ts";

const run = promisify(execFile);
const client = fileURLToPath(new URL("../", import.meta.url));
const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url));
const tsc = join(modules, "typescript/bin/tsc");

let folder = "";
let installed = "";

/** npm without a network and without a cache, so that nothing comes from a registry. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_cache: join(folder, "cache"),
    npm_config_offline: "true",
  };
  return (await run("npm", args, { cwd, env })).stdout;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "lakehelm-client-"));
  await npm(client, "pack", "--pack-destination", folder);
  const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await mkdir(join(folder, "app"));
  await writeFile(join(folder, "app/package.json"), '{ "name": "app", "private": true, "type": "module" }');
  await npm(join(folder, "app"), "install", join(folder, tarball));
  installed = join(folder, "app/node_modules/@lakehelm/client");
});
after(() => rm(folder, { recursive: true, force: true }));

/** Throws an error with the compiler's messages. */
async function compile(name: string, file: string, compilerOptions: object): Promise<void> {
  const options = { strict: true, noEmit: true, ...compilerOptions };
  const config = join(folder, `app/tsconfig.${name}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions: options, files: [file] }));
  await run(process.execPath, [tsc, "-p", config], { cwd: join(folder, "app") }).catch((error) =>
    assert.fail(`${file}: ${error.stdout}`),
  );
}

const web = { lib: ["es2022", "dom", "dom.iterable"] };
const node = { types: ["node"], typeRoots: [join(modules, "@types")] };
const resolutions = {
  bundler: { module: "esnext", moduleResolution: "bundler", target: "es2022", ...web, ...node },
  nodenext: { module: "nodenext", moduleResolution: "nodenext", target: "es2022", lib: ["es2022"], ...node },
};

suite("the packed client", () => {
  test("is plain JavaScript with types, for Node and browsers, without dependencies", async () => {
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    assert.equal(manifest.dependencies, undefined);
    assert.equal(manifest.peerDependencies, undefined);
    assert.deepEqual(await readdir(join(folder, "app/node_modules")), [".package-lock.json", "@lakehelm"]);
    assert.deepEqual((await readdir(installed)).sort(), ["README.md", "dist", "example", "package.json"]);
    const files = await readdir(join(installed, "dist"), { recursive: true });
    const scripts = files.filter((name) => name.endsWith(".js"));
    assert.ok(scripts.includes("index.js") && files.includes("index.d.ts"), files.join(" "));
    assert.deepEqual(
      files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts")),
      [],
    );
    for (const name of scripts) {
      const code = (await readFile(join(installed, "dist", name), "utf8"))
        .replaceAll(/\/\*[\s\S]*?\*\//g, "")
        .replaceAll(/^\s*\/\/.*$/gm, "");
      for (const [, imported = ""] of code.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]*)"/g)) {
        assert.match(imported, /^\.\.?\/[\w/-]+\.js$/, name);
      }
      assert.doesNotMatch(code, /\b(?:node:|require\(|process\.|Buffer\b|__dirname)/, name);
    }
  });

  for (const [name, options] of Object.entries(resolutions)) {
    test(`types its example with the module resolution ${name}`, async () => {
      const example = join(folder, "app/quickstart.ts");
      await cp(join(installed, "example/quickstart.ts"), example);
      await compile(name, example, options);
    });
  }

  test("has the types that the contract infers", async () => {
    const drift = join(folder, "app/drift.ts");
    await cp(join(client, "test/installed/drift.ts"), drift);
    // The same types, inferred by the contract's sources.
    const sources = { allowImportingTsExtensions: true, skipLibCheck: true, lib: ["esnext", "dom"] };
    const strict = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const inferred = fileURLToPath(new URL("../../contract/src/client/index.ts", import.meta.url));
    const paths = { "@lakehelm/contract/client": [inferred] };
    await compile("drift", drift, { ...resolutions.nodenext, ...sources, ...strict, paths });
  });

  test("creates, lists, changes, retries and fails as the server says", async (t) => {
    const server = await startTestServer();
    t.after(server.close);
    const limited = await startTestServer({ settings: { PLATFORM_RATE_LIMIT_PER_MINUTE: "30" } });
    t.after(limited.close);
    const env = {
      ...process.env,
      LAKEHELM_URL: server.url,
      LAKEHELM_TOKEN: server.token,
      LIMITED_URL: limited.url,
    };
    const use = join(folder, "app/use.ts");
    await cp(join(client, "test/installed/use.ts"), use);
    await compile("use", use, resolutions.nodenext);
    await run(process.execPath, [use], { env });

    const example = join(folder, "app/quickstart.ts");
    await cp(join(installed, "example/quickstart.ts"), example);
    const { stdout } = await run(process.execPath, [example], { env });
    assert.match(stdout, /^Created quickstart.*\nquickstart: A changed example\nconflict: /);
  });
});
