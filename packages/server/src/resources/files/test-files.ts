import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestServer, unique } from "../../testing/server.ts";

/** A new environment and its files: through the client, and on the disk. */
export async function newWorkspace(server: () => TestServer) {
  const { id: environment } = await server().client.createEnvironment({ body: { name: unique("here") } });
  const here = { environment };
  const events = async () =>
    (await server().events("file.*")).filter(({ data }) => data.environment_id === environment);
  return {
    environment,
    folder: join(server().dataDir, "workspaces", environment),
    put: (path: string, body: Uint8Array | string) =>
      server().client.putFile({ params: { path }, body, ...here }),
    get: async (path: string) =>
      Buffer.from(await server().client.getFile({ params: { path }, ...here })).toString(),
    open: (path: string) => server().client.withResponse.getFile({ params: { path }, ...here }),
    remove: (path: string) => server().client.deleteFile({ params: { path }, ...here }),
    async list(query: { prefix?: string; skip?: number; limit?: number } = {}) {
      const { files, total } = await server().client.listFiles({ query, ...here });
      return { paths: files.map(({ path }) => path), total };
    },
    files: async () => (await server().client.listFiles(here)).files,
    events,
    kinds: async () => (await events()).map(({ kind }) => kind),
  };
}

export const stagedIn = (server: TestServer) => readdir(join(server.dataDir, "staging"));
