/** Headers that belong to the connection and frame the request (RFC 9110, 7.2 and 7.6.1; RFC 9112, 6). */
const names = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Whether the HTTP client sets this header itself: a caller's value could send this request, or the next one,
 * elsewhere.
 */
export const isConnectionHeader = (name: string): boolean => {
  const header = name.toLowerCase();
  return names.has(header) || header.startsWith("proxy-");
};
