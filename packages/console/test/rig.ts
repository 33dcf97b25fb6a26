import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { startTestServer, type TestServer, type TestServerOptions } from "../../server/src/testing/server.ts";
import { launchBrowser } from "./browser.ts";

/** A server, a browser, and signed-in pages. */
export interface Rig {
  readonly server: TestServer;
  /** A page at a path below `/console`, signed in with a token. Default: an admin's token. */
  open(path: string, token?: string): Promise<Page>;
  /** A page without a signed-in user. */
  page(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

export const noBrowser =
  "There is no browser for the tests of the console. Install Chrome or Chromium, or set CHROME_PATH.";

/** Undefined if there is no browser. */
export async function startRig(options: TestServerOptions = {}): Promise<Rig | undefined> {
  const browser: Browser | undefined = await launchBrowser();
  if (!browser) return undefined;
  const server = await startTestServer(options);
  async function page(contextOptions: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser?.newContext({
      locale: "en-US",
      timezoneId: "Europe/Berlin",
      viewport: { width: 1360, height: 850 },
      ...contextOptions,
    });
    assert.ok(context);
    const opened = await context.newPage();
    opened.setDefaultTimeout(30_000);
    return opened;
  }
  return {
    server,
    page,
    async open(path, token = server.token) {
      const opened = await page();
      await opened.goto(`${server.url}/console${path}`);
      await signIn(opened, token);
      return opened;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Signs in with a token, on the sign-in page. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByRole("button", { name: "Use a token instead" }).click();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
}

/**
 * Makes a picture for docs/reference/console.md, with `UPDATE_SCREENSHOTS=1`. Look at it before you commit it. `shown` replaces texts
 * that are another in each run, such as the path of a temporary folder.
 */
export async function picture(
  page: Page,
  name: string,
  shown: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (process.env.UPDATE_SCREENSHOTS !== "1") return;
  await page.evaluate(`{
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const [text, instead] of Object.entries(${JSON.stringify(shown)}))
        if (node.nodeValue.includes(text)) node.nodeValue = node.nodeValue.replaceAll(text, instead);
  }`);
  const path = fileURLToPath(new URL(`../../../docs/console/${name}.png`, import.meta.url));
  await page.screenshot({ path, animations: "disabled" });
}

const axeSource = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Fails if axe finds serious or critical accessibility problems. */
export async function checkAccessibility(page: Page): Promise<void> {
  await page.evaluate(axeSource);
  const violations = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations)",
  )) as readonly Violation[];
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const texts = serious.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((node) => `  ${node.html}`).join("\n")}`,
  );
  assert.deepEqual(texts, []);
}

/** The limits of a page: requests to the API, and compressed bytes of scripts and styles. */
const mostRequests = 4;
const mostBytes = 100_000;

const isEditor = (url: string) => /\/console\/assets\/editor-/.test(url);

/** Checks what the browser has loaded since the call. The editor does not count. */
export function measure(page: Page): () => Promise<void> {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  return async () => {
    const api = requests.filter((request) => new URL(request.url()).pathname.startsWith("/api/"));
    const urls = api.map((request) => request.url());
    assert.ok(api.length <= mostRequests, `${api.length} requests to the API: ${urls.join(", ")}`);
    let bytes = 0;
    for (const request of requests.filter((one) => one.url().includes("/console/assets/"))) {
      if (isEditor(request.url())) continue;
      bytes += (await request.sizes()).responseBodySize;
    }
    assert.ok(bytes <= mostBytes, `${bytes} bytes of scripts and styles`);
  };
}

/** The names of the enabled buttons of the page, without those of the surrounding frame. */
export async function enabledButtons(page: Page): Promise<readonly string[]> {
  const buttons = page.locator("main button:not([aria-disabled=true]):not(:disabled)");
  return (await buttons.allInnerTexts()).map((text) => text.trim());
}

/** Collects violations of the content security policy and script errors. */
export function watchProblems(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // The page itself shows a refused request; the browser also logs it.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(message.text());
  });
  return problems;
}
