/** Why the certificate of a server is not accepted, and what to do; undefined: the error is about something else. Any client uses it. */
export function certificateProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const said = `${"code" in error ? error.code : ""} ${error.message}`;
  if (/CERT_HAS_EXPIRED|certificate has expired/.test(said)) return "its certificate has expired";
  if (/CERT_NOT_YET_VALID|certificate is not yet valid/.test(said)) return "its certificate is not valid yet";
  if (/ALTNAME_INVALID|altnames/.test(said)) return "its certificate is for another name than this";
  // OpenSSL's codes, or its sentences: some drivers keep only these.
  if (/SELF_SIGNED|self-signed cert|UNABLE_TO_(GET|VERIFY)|unable to (get|verify)|CERT_UNTRUSTED/.test(said))
    return "its certificate is not trusted. Start the server with NODE_EXTRA_CA_CERTS=<PEM file of the authority that issued it>";
  return undefined;
}
