/** A caller's own id is taken if it is short and printable, so that logs and headers stay clean. */
export function acceptedRequestId(sent: string | string[] | undefined): string | undefined {
  return typeof sent === "string" && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : undefined;
}
