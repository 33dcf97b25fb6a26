/**
 * Why a server's certificate is not accepted, and what to do; undefined: the error has another cause. This works for
 * the errors of any client.
 */
export function certificateProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const said = `${"code" in error ? error.code : ""} ${error.message}`;
  if (/CERT_HAS_EXPIRED|certificate has expired/.test(said)) return "its certificate has expired";
  if (/CERT_NOT_YET_VALID|certificate is not yet valid/.test(said)) return "its certificate is not valid yet";
  if (/ALTNAME_INVALID|altnames/.test(said)) return "its certificate is for another name than this";
  // The codes of OpenSSL or its messages, because some drivers keep only the messages.
  if (/SELF_SIGNED|self-signed cert|UNABLE_TO_(GET|VERIFY)|unable to (get|verify)|CERT_UNTRUSTED/.test(said))
    return "its certificate is not trusted. Start the server with NODE_EXTRA_CA_CERTS=<PEM file of the authority that issued it>";
  return undefined;
}
