/** The session cookie. With `__Host-` no other host below the same domain can set it (RFC 6265bis, 4.1.3.2). */
const sessionCookieNames = { plain: "lakehelm_app", ofHost: "__Host-lakehelm_app" } as const;

const isSessionCookie = (name: string): boolean =>
  Object.values<string>(sessionCookieNames).some((ours) => ours.toLowerCase() === name.toLowerCase());

export interface CookieScope {
  /** Empty if the app has its own host. */
  readonly prefix: string;
  readonly isSecure: boolean;
}

const sessionCookieName = ({ prefix, isSecure }: CookieScope): string =>
  isSecure && prefix === "" ? sessionCookieNames.ofHost : sessionCookieNames.plain;

/** The session cookies of a request; there may be several. */
export function sessionsIn(cookies: string | undefined, scope: CookieScope): string[] {
  const name = sessionCookieName(scope);
  return pairsOf(cookies).flatMap((pair) => (nameOf(pair) === name ? pair.slice(name.length + 1) : []));
}

/** The cookies that the app gets: all except our session cookies. */
export function cookiesForApp(cookies: string | undefined): string | undefined {
  const others = pairsOf(cookies).filter((pair) => !isSessionCookie(nameOf(pair)));
  return others.length > 0 ? others.join("; ") : undefined;
}

export function sessionCookie(value: string, maxAgeSeconds: number, scope: CookieScope): string {
  const attributes = [`Path=${scope.prefix || "/"}`, `Max-Age=${maxAgeSeconds}`, "HttpOnly", "SameSite=Lax"];
  return [`${sessionCookieName(scope)}=${value}`, ...attributes, ...(scope.isSecure ? ["Secure"] : [])].join(
    "; ",
  );
}

/**
 * Restricts a cookie of an app to the app's own paths and host. Undefined for a cookie that could be mistaken for our
 * session cookie, which includes a cookie without a name, because browsers send only its value.
 */
export function cookieOfApp(cookie: string, prefix: string): string | undefined {
  const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
  const name = nameOf(pair);
  if (name === "" || !pair.includes("=") || isSessionCookie(name)) return undefined;
  const kept = attributes.flatMap((attribute) => {
    const [word = "", value = ""] = attribute.split("=", 2).map((part) => part.trim());
    if (/^domain$/i.test(word)) return [];
    return /^path$/i.test(word) ? [`Path=${within(prefix, value)}`] : [attribute];
  });
  return [pair, ...kept].join("; ");
}

/** The app may already include its prefix. */
function within(prefix: string, path: string): string {
  if (prefix === "") return path;
  if (path === prefix || path.startsWith(`${prefix}/`)) return path;
  return path === "/" || !path.startsWith("/") ? prefix : `${prefix}${path}`;
}

const pairsOf = (cookies: string | undefined): string[] =>
  (cookies ?? "").split(";").flatMap((pair) => pair.trim() || []);

const nameOf = (pair: string): string => pair.split("=", 1)[0]?.trim() ?? "";
