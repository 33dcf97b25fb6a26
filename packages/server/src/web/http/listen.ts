import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

const lastPort = 65_535;

export interface ListenOptions {
  /** A port that is in use leads to the next free one. */
  readonly orNext?: boolean;
}

/** Listens and returns the URL. The error for an address or port that cannot be used names the setting. */
export async function listen(
  server: Server,
  host: string,
  port: number,
  setting: string,
  { orNext = false }: ListenOptions = {},
): Promise<string> {
  for (let tried = port; ; tried++) {
    try {
      return await listenOn(server, host, tried);
    } catch (error) {
      const isInUse = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!orNext || !isInUse || tried === lastPort)
        throw new Error(problemOf(error as NodeJS.ErrnoException, host, tried, setting));
    }
  }
}

function listenOn(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const done = () => {
      server.off("error", failed);
      const given = (server.address() as AddressInfo).port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${given}`);
    };
    const failed = (error: Error) => {
      server.off("listening", done);
      reject(error);
    };
    server.once("error", failed).once("listening", done).listen(port, host);
  });
}

/** A port of this server. Its URL is known once it listens: the system may choose the number. */
interface Port {
  listen(server: Server): Promise<string>;
  url(): string;
}

export function createPort(host: string, port: number, setting: string, options?: ListenOptions): Port {
  let url = "";
  return {
    async listen(server) {
      url = await listen(server, host, port, setting, options);
      return url;
    },
    url: () => url,
  };
}

function problemOf(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  setting: string,
): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is in use. Set ${setting} to another port.`;
    case "EACCES":
      return `This user may not listen on port ${port}. Set ${setting} to a port from 1024.`;
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
    case "EINVAL":
    case "ENOTFOUND":
      return `HOST: ${host} is not an address of this machine. Set HOST to one, such as 127.0.0.1.`;
    default:
      return `HOST and ${setting}: ${host}, port ${port} cannot be used: ${message}.`;
  }
}

/** Accepts no new connections, closes idle ones, and waits for active requests. */
export function drain(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
