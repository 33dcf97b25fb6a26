import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";

type Version = { readonly version: string; readonly link?: boolean } & Readonly<Record<string, unknown>>;

const shown = [
  "dependencies",
  "optionalDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "bin",
  "os",
  "cpu",
  "libc",
];

/**
 * A registry on loopback with the packages of the lock file, as they are installed in the checkout: `npm install` of a tarball then
 * needs no network, and gets the versions that the lock file has.
 */
export async function startRegistry(root: string): Promise<{ url: string; close: () => void }> {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Version>;
  };
  const installed = Object.entries(lock.packages).filter(([, { link }]) => link !== true);
  const versionsOf = (name: string) =>
    installed.filter(
      ([path]) => path.endsWith(`node_modules/${name}`) && path.split("node_modules/").at(-1) === name,
    );

  const server = createServer((request, response) => {
    const [name = "", version] = decodeURIComponent(request.url?.slice(1) ?? "").split("/-/");
    const found = versionsOf(name);
    const one = found.find(([, locked]) => `${locked.version}.tgz` === version);
    if (found.length === 0 || (version !== undefined && !one)) {
      response.writeHead(404).end("{}");
    } else if (one) {
      const folder = join(root, one[0]);
      const [parent, own] = [dirname(folder), basename(folder)];
      // npm takes away the first folder, whatever its name is.
      const tar = spawn("tar", ["-c", `--exclude=${own}/node_modules`, "-C", parent, own]);
      tar.stdout.pipe(response.writeHead(200, { "content-type": "application/octet-stream" }));
    } else {
      const versions = found.map(([, locked]) => [
        locked.version,
        {
          name,
          version: locked.version,
          ...Object.fromEntries(shown.filter((key) => key in locked).map((key) => [key, locked[key]])),
          dist: { tarball: `${url}/${name}/-/${locked.version}.tgz` },
        },
      ]);
      const answer = {
        name,
        "dist-tags": { latest: versions.at(-1)?.[0] },
        versions: Object.fromEntries(versions),
      };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
