import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@lakehelm/testing/free-port";
import { until } from "@lakehelm/testing/until";
import { AwsClient } from "aws4fetch";

export interface TestS3 {
  readonly endpoint: string;
  /** The credentials and the endpoint, as a connection has them. */
  readonly config: Readonly<Record<string, string>>;
  /** Where the server keeps the objects, one folder for each bucket. */
  readonly folder: string;
  createBucket(name: string): Promise<void>;
  put(
    path: string,
    content: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<void>;
  get(path: string): Promise<Response>;
  remove(path: string): Promise<void>;
  /** The keys of a bucket. */
  keys(bucket: string): Promise<string[]>;
  /** A request with the credentials. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export const withoutS3 = "versitygw is not installed; .ci/s3 installs it where there is Go";

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folders = [...(process.env.PATH ?? "").split(":"), join(cache, "lakehelm", "bin")];

async function findServer(): Promise<string | undefined> {
  for (const folder of folders) {
    const file = join(folder, "versitygw");
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) return file;
  }
  return undefined;
}

const exampleKey = ["AKIAEXAMPLEKEY000001", "s3cret/Example+Key=0000000000000000000001"] as const;

/** A real S3 server over a temporary folder, stopped and deleted after the tests; undefined if none is installed. */
export async function startS3(
  after: (end: () => Promise<void>) => void,
  [access_key_id, secret_access_key]: readonly [id: string, secret: string] = exampleKey,
): Promise<TestS3 | undefined> {
  const binary = await findServer();
  if (binary === undefined) return undefined;
  const root = await mkdtemp(join(tmpdir(), "s3-"));
  const [folder, sidecar] = [join(root, "buckets"), join(root, "sidecar")];
  await mkdir(folder);
  await mkdir(sidecar);
  const port = await freePort();
  // Some file systems have no extended attributes, so attributes are kept beside the objects.
  const server = spawn(
    binary,
    ["--port", `127.0.0.1:${port}`, "--quiet", "posix", "--sidecar", sidecar, folder],
    {
      stdio: "ignore",
      env: { ...process.env, ROOT_ACCESS_KEY: access_key_id, ROOT_SECRET_KEY: secret_access_key },
    },
  );
  const exited = once(server, "exit");
  after(async () => {
    server.kill("SIGKILL");
    await exited;
    await rm(root, { recursive: true, force: true });
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new AwsClient({
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    service: "s3",
    region: "us-east-1",
    retries: 0,
  });
  const send = (path: string, init?: RequestInit) => client.fetch(`${endpoint}/${path}`, init);
  const succeed = async (path: string, init?: RequestInit) => {
    const response = await send(path, init);
    if (!response.ok)
      throw new Error(`${init?.method ?? "GET"} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  await until(async () => {
    if (server.exitCode !== null) throw new Error(`versitygw ended with ${server.exitCode}.`);
    return send("").then(
      () => true,
      () => undefined,
    );
  }, 50);
  return {
    endpoint,
    folder,
    config: { endpoint, access_key_id, secret_access_key },
    fetch: send,
    createBucket: async (name) => void (await succeed(name, { method: "PUT" })),
    put: async (path, body, headers = {}) => void (await succeed(path, { method: "PUT", body, headers })),
    get: (path) => succeed(path),
    remove: async (path) => void (await succeed(path, { method: "DELETE" })),
    async keys(bucket) {
      const text = await (await succeed(`${bucket}?list-type=2`)).text();
      return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
    },
  };
}
