import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens and returns the URL. The error for a port in use names the setting. */
export function listen(server: Server, host: string, port: number, setting: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${port} is in use. Set ${setting} to another port.`)
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

/** Accepts no new connections, closes idle ones, and waits for active requests. */
export function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
