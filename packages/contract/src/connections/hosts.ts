/** An IPv6 address as URLs have it. Other hosts stay as they are. */
export const bracketed = (host: string): string =>
  /^[0-9a-f.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(host) ? `[${host}]` : host;
