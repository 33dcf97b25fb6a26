import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, type TestContext, test } from "node:test";
import type { Environment } from "@lakehelm/contract";
import { DataProblem } from "@lakehelm/engine";
import { serveHttp } from "@lakehelm/testing/http-server";
import { Problem } from "../../../core/errors.ts";
import { type Cluster, createClusters } from "./clusters.ts";
import { checkStaging } from "./staging-check.ts";

/** Accepts connections and never answers, like a cluster that hangs. */
const sockets: Socket[] = [];
const silent = createServer((socket) => void sockets.push(socket.on("error", () => {})));
silent.listen(0, "127.0.0.1");
await once(silent, "listening");
const { port } = silent.address() as AddressInfo;
const folder = await mkdtemp(join(tmpdir(), "lakehelm-clusters-"));

after(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await rm(folder, { recursive: true, force: true });
});

const rules = { allowsPrivate: false, privateAddresses: ["127.0.0.1"] };

function openCluster(staging: object, test: Pick<TestContext, "after">) {
  const configuration = { remote: `sc://127.0.0.1:${port}`, ...staging };
  const clusters = createClusters({
    rules,
    allowsPlain: true,
    startMs: 50,
    environment: async (id) => ({ id, name: "silent", configuration }) as unknown as Environment,
    configurationOf: async () => configuration,
    secretOf: async () => undefined,
  });
  test.after(() => clusters.close());
  return clusters.open("e1");
}

const checked = async (cluster: Promise<Cluster>) =>
  checkStaging(await cluster, "e1", {
    folders: { granted: [folder], dataFolder: join(folder, "data") },
    egress: rules,
    signal: new AbortController().signal,
  });

suite("a cluster that does not answer", () => {
  const isUnavailable = (error: unknown) =>
    error instanceof Problem && /it did not answer within 0\.05 s/.test(error.message);

  test("is not waited for without end, and is asked again", async (t) => {
    const cluster = await openCluster({}, t);
    const version = () => cluster.read((session) => session.version());
    await assert.rejects(version(), isUnavailable);
    await assert.rejects(version(), isUnavailable);
  });

  test("leaves no files of a check", async (t) => {
    const staging = join(folder, "staging");
    await mkdir(staging);
    const ofChecks = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith("lakehelm-check-"));
    const before = await ofChecks();
    await assert.rejects(checked(openCluster({ staging }, t)), isUnavailable);
    assert.deepEqual(await readdir(staging, { recursive: true }), ["lakehelm-e1"]);
    assert.deepEqual(await ofChecks(), before);
  });
});

test("a bucket that repeats its credentials does not show them in the check", async (t) => {
  const key = "AKIA7Q2mXv7LpT4cYh8R";
  const endpoint = await serveHttp(t, (_, response) =>
    response.writeHead(400).end(`<Error><Code>Odd</Code><Message>no user for ${key}</Message></Error>`),
  );
  const staging_options = { endpoint, access_key_id: key, secret_access_key: "s3cret-Value-9" };
  const cluster = openCluster({ staging: "s3://rows/spark", staging_options }, t);
  await assert.rejects(checked(cluster), (error: unknown) => {
    assert.ok(error instanceof DataProblem);
    assert.match(error.message, /no user for \*{8}/);
    return true;
  });
});
