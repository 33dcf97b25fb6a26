/** A real Spark Connect server behind a proxy with TLS: queries, the check, and rows of a connector. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { startTestServer } from "../src/testing/server.ts";
import { startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";

suite("Spark with TLS", () => {
  test("the certificate must be trusted; then everything works as without TLS", onlyNightly, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-tls-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const staging = join(folder, "staging");
    await mkdir(staging);
    const { pfx, certificate, path } = await selfSigned(folder);
    const spark = await startConnectServer();
    t.after(() => spark.stop());
    const plainPort = Number(String(spark.configuration.remote).split(":").at(-1));
    const proxy = createServer({ pfx, passphrase, ALPNProtocols: ["h2"] }, (incoming) => {
      const outgoing = connect(plainPort, "127.0.0.1");
      incoming.pipe(outgoing).on("error", () => incoming.destroy());
      outgoing.pipe(incoming).on("error", () => outgoing.destroy());
    }).listen(0, "127.0.0.1");
    proxy.on("tlsClientError", () => {});
    await once(proxy, "listening");
    t.after(() => proxy.close());
    const { port } = proxy.address() as AddressInfo;

    // The engine is a separate process, which reads this variable when it starts.
    process.env.NODE_EXTRA_CA_CERTS = path;
    t.after(() => {
      delete process.env.NODE_EXTRA_CA_CERTS;
    });
    const server = await startTestServer({ settings: patient });
    t.after(() => server.close());
    const remote = `sc://localhost:${port}/;use_ssl=true`;
    const configuration = { ...spark.configuration, remote, token: spark.token, staging };
    const { id: environment } = await server.client.createEnvironment({
      body: { name: "cluster", platform: "spark", configuration },
    });
    const check = async () => {
      const { findings } = await server.client.checkEnvironment({ params: { environment_id: environment } });
      return findings.find(({ name }) => name === "connect");
    };
    const refused = await check();
    assert.equal(refused?.status, "failed");
    assert.match(refused.message, /certificate is not trusted.*NODE_EXTRA_CA_CERTS/);

    const known = getCACertificates();
    setDefaultCACertificates([...known, certificate]);
    t.after(() => setDefaultCACertificates(known));
    assert.equal((await check())?.status, "ok");
    assert.deepEqual(await queryRows(server.client, environment, "SELECT 1"), [[1]]);

    const database = new DatabaseSync(join(folder, "shop.db"));
    database.exec("CREATE TABLE tls_orders (id INTEGER PRIMARY KEY); INSERT INTO tls_orders VALUES (1), (2)");
    database.close();
    const connector = await server.client.createConnector({
      body: {
        ...{ name: "tls", execution_mode: "manual", created_by: "ada", target_type: "warehouse" },
        target_config: {
          connection: { name: "shop", type: "sqlite", config: { path: join(folder, "shop.db") } },
        },
        datasets: [{ source_dataset: "tls_orders", target_name: "tls_orders", write_strategy: "replace" }],
      },
      environment,
    });
    const { id } = await server.client.runJob({ params: { job_id: connector.workflow_id ?? "" } });
    const { status, error } = await endedRun(server.client, id);
    assert.deepEqual([status, error], ["succeeded", null]);
    const rows = await queryRows(
      server.client,
      environment,
      "SELECT id FROM main.shop.tls_orders ORDER BY id",
    );
    assert.deepEqual(rows, [[1], [2]]);
  });
});

const passphrase = "for-this-test";

/** A self-signed certificate for localhost. Java, which Spark needs, includes keytool. */
async function selfSigned(folder: string) {
  const keytool = join(process.env.JAVA_HOME ?? "", "bin", "keytool");
  const [store, path] = [join(folder, "proxy.p12"), join(folder, "proxy.pem")];
  const of = ["-keystore", store, "-storetype", "PKCS12", "-storepass", passphrase, "-alias", "proxy"];
  const names = ["-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1"];
  const run = promisify(execFile);
  await run(keytool, ["-genkeypair", "-keyalg", "EC", "-validity", "2", ...names, ...of]);
  await run(keytool, ["-exportcert", "-rfc", "-file", path, ...of]);
  return { pfx: await readFile(store), certificate: await readFile(path, "utf8"), path };
}
