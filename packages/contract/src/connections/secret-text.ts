/** Secrets inside a text that is not a secret as a whole: URLs, connection strings, tokens, private keys. */
import { wordsOf } from "./key-words.ts";
import { isSecretKey, secretMask } from "./secret-keys.ts";

/** Most texts contain none of these patterns, so they are not searched further. */
const mayContain =
  /:\/\/|=|-----BEGIN |^\s*(?:[\w-]{1,40}: |eyJ|bearer |basic |token )|^(?:gh[opsu]_|github_pat_|glpat-|xox[abeprs]-|sk[-_]|rk_|dapi|AIza|SG\.|hv[bs]\.|npm_|ya29\.|pypi-|dckr_pat_|shpat_|ATATT)/i;

/**
 * The text with its secrets masked; the same text if it has none. References and placeholders are kept. In the query of a
 * URL every value is masked unless its name is public; with `onlyNamed`, only values whose name marks them as secret.
 */
export function maskText(text: string, onlyNamed = false): string {
  if (text.length < 8 || !mayContain.test(text)) return text;
  if (isOpaque(text)) return secretMask;
  return maskHeaderLines(maskPairs(maskUrls(text, onlyNamed)));
}

/** Whether the text contains the mask where a secret belongs. */
export function hasMaskedPart(text: string): boolean {
  if (!text.includes(secretMask)) return false;
  const filled = text.replaceAll(secretMask, "masked-Value-0");
  return maskText(filled) !== filled;
}

/** A private key, a JSON Web Token, the value of an Authorization header, or a token with the prefix of its issuer. */
function isOpaque(text: string): boolean {
  if (/-----BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(text)) return true;
  if (text.length > 16_384) return false;
  return (
    /^\s*eyJ[\w-]{6,}\.[\w-]{2,}\.[\w-]*\s*$/.test(text) ||
    /^\s*bearer [\w.~+/=-]{6,}\s*$/i.test(text) ||
    isBasic(text) ||
    (/^[\w.~+/=-]{20,}$/.test(text) && /\d/.test(text) && !text.includes("://") && isIssued(text))
  );
}

const isIssued = (text: string) =>
  /^(?:gh[opsu]_|github_pat_|glpat-|xox[abeprs]-|sk[-_]|rk_|dapi|AIza|SG\.|hv[bs]\.|npm_|ya29\.|pypi-|dckr_pat_|shpat_|ATATT)/.test(
    text,
  );

/** `Basic YWRhOnNlY3JldA==`, but not "Basic plan". */
function isBasic(text: string): boolean {
  const [, encoded] = /^\s*basic ([A-Za-z0-9+/]{4,}={0,2})\s*$/i.exec(text) ?? [];
  if (encoded === undefined) return false;
  try {
    return atob(encoded).includes(":");
  } catch {
    return false;
  }
}

/** Masks the user info, the query and the fragment of every URL in a text, and the path of an incoming webhook. */
export function maskUrls(text: string, onlyNamed = false): string {
  let masked = "";
  let done = 0;
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", Math.max(at + 3, done))) {
    const start = at + 3;
    const end = urlEnd(text, start);
    const scheme = /[a-z][a-z0-9+.-]{0,30}$/i.exec(text.slice(Math.max(0, at - 31), at))?.[0] ?? "";
    masked += text.slice(done, start) + maskedRest(scheme.toLowerCase(), text.slice(start, end), onlyNamed);
    done = end;
  }
  return done === 0 ? text : masked + text.slice(done);
}

/** A URL ends at a blank or a quote. */
const urlStop = /[ \t\r\n"'<>`]/g;

function urlEnd(text: string, start: number): number {
  urlStop.lastIndex = start;
  return urlStop.test(text) ? urlStop.lastIndex - 1 : text.length;
}

/** What follows `scheme://`. */
function maskedRest(scheme: string, rest: string, onlyNamed: boolean): string {
  const userEnd = userInfoEnd(rest);
  const user = userEnd < 0 ? "" : maskedUser(scheme, rest.slice(0, userEnd + 1));
  const address = rest.slice(userEnd + 1);
  const path = address.search(/[/?#]/);
  if (webhookHost.test(address)) {
    return isMaskable(address.slice(path + 1))
      ? `${user}${address.slice(0, path)}/${secretMask}`
      : user + address;
  }
  const query = address.search(/[?#]/);
  if (query < 0) return user + address;
  return user + address.slice(0, query) + maskedQuery(address.slice(query), onlyNamed);
}

/**
 * The position of the "@" after the user info, or -1. A password may contain "/", "?" and "#" although a URL must
 * encode them: what precedes them is then not a host with a port.
 */
function userInfoEnd(rest: string): number {
  const path = rest.search(/[/?#]/);
  const authority = path < 0 ? rest : rest.slice(0, path);
  const inAuthority = authority.lastIndexOf("@");
  if (inAuthority >= 0 || path < 0) return inAuthority;
  const [, port] = /^[^:[\]]*:(.*)$/s.exec(authority) ?? [];
  return port === undefined || /^\d*(?:,|;|$)/.test(port) ? -1 : rest.lastIndexOf("@");
}

/**
 * Splits off `user:password@`. In a web address, a user without a password is a token; in `abfss://container@account`
 * it is not.
 */
function maskedUser(scheme: string, info: string): string {
  const colon = info.indexOf(":");
  if (colon >= 0) {
    return isMaskable(info.slice(colon + 1, -1)) ? `${info.slice(0, colon)}:${secretMask}@` : info;
  }
  return /(?:^|\+)https?$/.test(scheme) && isMaskable(info.slice(0, -1)) ? `${secretMask}@` : info;
}

const webhookHost =
  /^(?:hooks\.slack\.com|hooks\.zapier\.com|discord\.com|discordapp\.com|outlook\.office\.com|outlook\.office365\.com|api\.telegram\.org|maker\.ifttt\.com|hc-ping\.com|[^/?#]*\.webhook\.office\.com)[/?#]/i;

/** Parameters that never contain secrets. The value of any other parameter is masked. */
const publicParameters = new Set([
  ...[
    "page",
    "per_page",
    "page_size",
    "pagesize",
    "limit",
    "offset",
    "size",
    "count",
    "first",
    "last",
    "start",
  ],
  ...[
    "end",
    "from",
    "to",
    "since",
    "until",
    "after",
    "before",
    "sort",
    "order",
    "order_by",
    "orderby",
    "dir",
  ],
  ...["direction", "format", "output", "version", "v", "api-version", "api_version", "apiversion", "lang"],
  ...[
    "language",
    "locale",
    "fields",
    "field",
    "select",
    "columns",
    "filter",
    "where",
    "q",
    "query",
    "search",
  ],
  ...[
    "type",
    "kind",
    "status",
    "state",
    "id",
    "ids",
    "name",
    "names",
    "expand",
    "include",
    "exclude",
    "view",
  ],
  ...["tz", "timezone", "date", "day", "month", "year", "time", "interval", "region", "country", "currency"],
  ...[
    "city",
    "category",
    "tag",
    "tags",
    "label",
    "labels",
    "group",
    "database",
    "databasename",
    "db",
    "dbname",
  ],
  ...[
    "initial catalog",
    "catalog",
    "schema",
    "currentschema",
    "table",
    "tables",
    "dataset",
    "user",
    "username",
  ],
  ...[
    "uid",
    "user id",
    "email",
    "ssl",
    "sslmode",
    "usessl",
    "requiressl",
    "encrypt",
    "tls",
    "secure",
    "charset",
  ],
  ...["characterencoding", "encoding", "collation", "timeout", "connecttimeout", "connect_timeout"],
  ...["logintimeout", "sockettimeout", "trustservercertificate", "hostnameincertificate", "application_name"],
  ...[
    "applicationname",
    "applicationintent",
    "warehouse",
    "role",
    "account",
    "tenant",
    "organization",
    "org",
  ],
  ...[
    "project",
    "project_id",
    "workspace",
    "team",
    "customer",
    "store",
    "env",
    "environment",
    "stage",
    "channel",
  ],
  ...[
    "source",
    "target",
    "ref",
    "branch",
    "tag",
    "commit",
    "path",
    "file",
    "filename",
    "prefix",
    "delimiter",
  ],
  ...[
    "suffix",
    "mode",
    "method",
    "action",
    "event",
    "debug",
    "verbose",
    "dry_run",
    "pretty",
    "download",
    "alt",
  ],
  ...["authsource", "replicaset", "retrywrites", "w", "readpreference", "authmechanism", "driver", "server"],
  ...["host", "port", "protocol", "httppath", "transportmode", "width", "height", "depth", "level", "lines"],
]);

interface ParameterName {
  readonly isPublic: boolean;
  readonly isSecret: boolean;
}

/** The same parameters recur in every URL, so the results for short names are kept. */
const parameterNames = new Map<string, ParameterName>();
const maxNames = 4096;

function parameterOf(written: string): ParameterName {
  const known = parameterNames.get(written);
  if (known) return known;
  const name = decoded(written);
  const found = { isPublic: publicParameters.has(name.toLowerCase()), isSecret: isSecretParameter(name) };
  if (parameterNames.size < maxNames && written.length < longestName) parameterNames.set(written, found);
  return found;
}

/** `?a=1&token=x#b`: every value is masked unless its name is public, or it is a small number, true or false. */
function maskedQuery(query: string, onlyNamed: boolean): string {
  return query.replace(
    /([?&;#])([^?&;#=]*)=([^&;#]*)/g,
    (whole, mark: string, name: string, value: string) => {
      const { isPublic, isSecret } = parameterOf(name);
      const mayShow = onlyNamed || isPublic || /^(?:\d{1,6}|true|false)$/i.test(value);
      const isShown = (mayShow && !isSecret) || !isMaskable(value);
      return isShown ? whole : `${mark}${name}=${secretMask}`;
    },
  );
}

/** Whether the name of a parameter says that its value is a secret. */
function isSecretParameter(name: string): boolean {
  if (isSecretKey(name)) return true;
  const last = wordsOf(name).at(-1) ?? "";
  return (
    /^(?:key|code|apikey|sign|hash)$/.test(last) &&
    !/^(?:sort|primary|foreign|partition|project|zip|country|currency|language|lang|status|product|postal|area|error|promo)/i.test(
      name,
    )
  );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** An empty value has nothing to hide. References to secrets and placeholders are filled in when something runs. */
const isMaskable = (value: string) => value !== "" && !/^\{\{[^{}]*\}\}$/.test(value);

/** Longer names are no names of settings; the bound keeps the search linear. */
const longestName = 64;

/** Masks the values whose names mark them as secret: `Password=x;`, `password='x y'`, `DB_TOKEN=x`. */
function maskPairs(text: string): string {
  let masked = "";
  let done = 0;
  const ends = text.includes(";") && !text.includes("?") ? ";\r\n" : ";& \t\r\n";
  for (let at = text.indexOf("="); at >= 0; at = text.indexOf("=", Math.max(at + 1, done))) {
    const name = nameBefore(text, at, done);
    if (name.length < 2 || !isSecretKey(name)) continue;
    let start = at + 1;
    while (text.charAt(start) === " ") start++;
    const quote = text.charAt(start);
    const isQuoted = quote === "'" || quote === '"';
    let end = isQuoted ? text.indexOf(quote, start + 1) + 1 : start;
    if (isQuoted && end === 0) end = text.length;
    while (!isQuoted && end < text.length && !ends.includes(text.charAt(end))) end++;
    const value = text.slice(start, end);
    if (!isMaskable(value) || /^(?:true|false|\*{8})$/i.test(value)) continue;
    masked += `${text.slice(done, start)}${secretMask}`;
    done = end;
  }
  return done === 0 ? text : masked + text.slice(done);
}

/** The name that ends before this position; blanks between them are skipped. */
function nameBefore(text: string, at: number, from: number): string {
  let end = at;
  while (end > from && text.charCodeAt(end - 1) === 0x20 && at - end < longestName) end--;
  let start = end;
  while (start > from && end - start < longestName && isNameCode(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end);
}

/** A letter, a digit, "_", "." or "-". */
const isNameCode = (code: number) =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x5f ||
  code === 0x2e ||
  code === 0x2d;

/** Masks the value of `Cookie: a=b` on a line of its own. */
function maskHeaderLines(text: string): string {
  if (!text.includes(": ")) return text;
  return text.replace(
    /^((?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|auth)): (.+)$/gim,
    (whole, name: string, value: string) =>
      value === secretMask || /^(?:\w+ )?\{\{[^{}]*\}\}$/.test(value) ? whole : `${name}: ${secretMask}`,
  );
}
