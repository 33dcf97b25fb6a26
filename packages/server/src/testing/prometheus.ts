import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { freePort } from "@lakehelm/testing/free-port";
import { until } from "@lakehelm/testing/until";

interface PrometheusSample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Alert {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface Prometheus {
  query(expression: string): Promise<PrometheusSample[]>;
  labels(): Promise<string[]>;
  firing(): Promise<Alert[]>;
}

const run = promisify(execFile);

export const hasPrometheus = (): Promise<boolean> =>
  Promise.all([run("prometheus", ["--version"]), run("promtool", ["--version"])]).then(
    () => true,
    () => false,
  );

/** Fails with the output of promtool. */
export const checkWithPromtool = (...args: readonly string[]) => run("promtool", args);

/** A real Prometheus with the given rules, whose alerts fire as soon as their expression has a result. */
export async function startPrometheus(
  t: TestContext,
  target: { readonly url: string; readonly token: string },
  rulesFile: URL,
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), "prometheus-"));
  const rules = (await readFile(rulesFile, "utf8")).replaceAll(/^ +for: \w+\n/gm, "");
  await writeFile(join(folder, "alerts.yml"), rules);
  const config = {
    // When the database is lost, a scrape waits for it for one second.
    global: { scrape_interval: "3s", scrape_timeout: "3s", evaluation_interval: "250ms" },
    scrape_configs: [
      {
        job_name: "lakehelm",
        authorization: { credentials: target.token },
        static_configs: [{ targets: [new URL(target.url).host] }],
      },
    ],
    rule_files: ["alerts.yml"],
  };
  await writeFile(join(folder, "prometheus.yml"), JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  t.after(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const answer = (await response.json()) as { data?: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  };
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    50,
  );
  return {
    async query(expression) {
      const { result } = (await read(`query?query=${encodeURIComponent(expression)}`)) as {
        result: { metric: Record<string, string>; value: [number, string] }[];
      };
      return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    labels: async () => (await read("labels")) as string[],
    async firing() {
      const { alerts } = (await read("alerts")) as {
        alerts: { state: string; labels: Record<string, string> }[];
      };
      return alerts
        .filter(({ state }) => state === "firing")
        .map(({ labels }) => ({ name: String(labels.alertname), labels }));
    },
  };
}
