import { DataProblem } from "@lakehelm/engine";
import type { Outbound } from "../../../outbound/outbound.ts";
import { OutboundError } from "../../../outbound/outbound-error.ts";

/** A part of a result in the storage of the workspace. The link itself is a credential, for about 15 minutes. */
export interface ExternalLink {
  readonly external_link?: string;
  readonly http_headers?: Readonly<Record<string, string>>;
  readonly next_chunk_index?: number;
}

/** Reads the rows behind a link, without the workspace's token: the storage belongs to somebody else. */
export async function readLink(
  outbound: Pick<Outbound, "send">,
  { external_link: url = "", http_headers: headers = {} }: ExternalLink,
  maxBytes: number,
  signal: AbortSignal,
): Promise<(string | null)[][]> {
  const request = { url, method: "GET", headers, timeoutMs: 60_000, maxBytes, signal };
  const response = await outbound.send(request).catch((error: unknown) => {
    if (error instanceof OutboundError) throw failed(error.hostless);
    throw error;
  });
  if (response.status !== 200) throw failed(`It answered ${response.status}.`);
  try {
    const rows: unknown = JSON.parse(response.body);
    if (Array.isArray(rows)) return rows;
  } catch {}
  throw failed("It did not send rows.");
}

const failed = (why: string): DataProblem =>
  new DataProblem(`The result could not be read from the workspace's storage. ${why}`, { retryable: true });
