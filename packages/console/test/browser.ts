import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import manifest from "../package.json" with { type: "json" };

/** Where an installed browser usually is. */
const installed = [
  process.env.CHROME_PATH,
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
].filter((path) => path !== undefined);

/** The Chromium from npm on Linux x64, otherwise an installed browser; undefined if there is none. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const isPacked = process.platform === "linux" && process.arch === "x64";
  const found = isPacked ? await packedChromium() : installedBrowser();
  if (!found) return undefined;
  return chromium.launch({ executablePath: found.path, args: ["--no-sandbox"], env: found.env });
}

type Environment = Record<string, string>;

function installedBrowser(): { readonly path: string; readonly env: Environment } | undefined {
  const path = installed.find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : { path, env: environment({}) };
}

/**
 * Unpacks Chromium once, into a separate folder that is renamed when it is complete: several suites start at once, and
 * one may be killed meanwhile.
 */
async function packedChromium() {
  const version = manifest.devDependencies["@sparticuz/chromium"];
  const folder = fileURLToPath(
    new URL(`../../../node_modules/.cache/lakehelm-browser-${version}`, import.meta.url),
  );
  const fonts = join(folder, "fonts.conf");
  if (!existsSync(folder)) {
    await mkdir(dirname(folder), { recursive: true });
    const own = await mkdtemp(`${folder}-`);
    await writeFile(
      join(own, "fonts.conf"),
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${join(folder, "fonts")}</dir><dir>/usr/share/fonts</dir><cachedir>${join(folder, "font-cache")}</cachedir></fontconfig>`,
    );
    await unpackInto(own);
    // If another suite was faster, its folder is used.
    await rename(own, folder).catch(() => rm(own, { recursive: true }));
  }
  return {
    path: join(folder, "chromium"),
    env: environment({ LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_FILE: fonts }),
  };
}

/**
 * The package is made for AWS Lambda. It unpacks its libraries only there, uses files in the temporary folder even if
 * another version unpacked them, and its font settings name a folder that does not exist here.
 */
async function unpackInto(folder: string): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" });
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  } finally {
    for (const name of ["TMPDIR", "AWS_LAMBDA_JS_RUNTIME", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "HOME"]) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

const environment = (more: Environment): Environment => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  ...more,
});
