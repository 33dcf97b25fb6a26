/** A caller's request id is accepted if it is short and printable. */
export function acceptedRequestId(sent: string | string[] | undefined): string | undefined {
  return typeof sent === "string" && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : undefined;
}
