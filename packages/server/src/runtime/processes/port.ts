import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A free port of 127.0.0.1 that is not reserved for another process. */
export async function freePort(isReserved: (port: number) => boolean): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    if (!isReserved(port)) return port;
  }
}
