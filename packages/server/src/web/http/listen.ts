import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens, and answers with the address. A port that is taken is told with the setting that names it. */
export function listen(server: Server, host: string, port: number, setting: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${port} is taken: set ${setting} to another one.`)
          : error,
      );
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      const given = (server.address() as AddressInfo).port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${given}`);
    });
  });
}

/** Takes no new connections, closes idle ones, and waits for the requests that are under way. */
export function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
