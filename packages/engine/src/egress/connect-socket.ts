import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { allowedAddresses, type EgressRules, pinnedLookup, plainHost } from "./egress.ts";

const connectMs = 10_000;

/** Connects to a server that speaks HTTP/2, only at addresses that the rules allow. */
export async function connectSocket(
  rules: EgressRules,
  { host, port, tls }: { readonly host: string; readonly port: number; readonly tls: boolean },
): Promise<Socket> {
  const name = plainHost(host);
  const lookup = pinnedLookup(await allowedAddresses(rules, host, port));
  // An address is not a name for TLS to choose a certificate by.
  const serverName = isIP(name) === 0 ? { servername: name } : {};
  return new Promise((done, fail) => {
    const socket = tls
      ? connectTls({ host: name, port, lookup, ...serverName, ALPNProtocols: ["h2"] }, () => connected())
      : connectPlain({ host: name, port, lookup }, () => connected());
    const connected = () => {
      socket.setTimeout(0);
      socket.removeListener("error", fail);
      done(socket);
    };
    socket.once("error", fail);
    socket.setTimeout(connectMs, () => socket.destroy(new Error(`no answer within ${connectMs / 1000} s`)));
  });
}
