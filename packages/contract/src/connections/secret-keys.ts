import { wordSet, wordsOf } from "./key-words.ts";

/** Replaces a secret value in responses, logs and events. A caller that sends it keeps the stored value. */
export const secretMask = "********";

/** The same keys recur in every request, so the results for short keys are cached. */
const cache = new Map<string, boolean>();
const maxCacheSize = 4096;
const maxCachedLength = 100;

/** Whether a value under this key is a secret: `dbPassword`, `client-secret`, `X-Api-Key`, `connectionString`. */
export function isSecretKey(key: string): boolean {
  if (key.length >= maxCachedLength) return hasSecretName(wordsOf(key));
  // Digits only end a word, so keys that differ only in numbers share one cache entry.
  const same = /\d/.test(key) ? key.replace(/\d+/g, "0") : key;
  let isSecret = cache.get(same);
  if (isSecret === undefined) {
    isSecret = hasSecretName(wordsOf(key));
    if (cache.size < maxCacheSize) cache.set(same, isSecret);
  }
  return isSecret;
}

/** A word that makes a name a secret wherever it stands: `db_password`, `password_hash`. */
const secretWords = wordSet(`
  password passwords passwd pwd pswd passphrase passphrases passcode passwort kennwort contrasena
  senha secret secrets token tokens credential credentials cred creds authorization cookie cookies
  jwt jwts dsn sas bearer csrf xsrf totp otp keytab webhook webhooks htpasswd netrc pgpass
`);

/** A word that makes a name a secret at its end only: `db_pass`, `pin`, `x-auth`, but not `pass_rate`. */
const lastWords = wordSet(`
  pass pin auth authentication sig signature salt pepper pem pfx hmac pat
`);

/** Two words in a row, also written as one: `connection_string`, `connectionString`, `connectionstring`. */
const secretPairs = wordSet(`
  password passphrase passcode passkey connectionstring connectionstrings connectstring connstring
  connstr sessionid sessid sessioncookie authcode accesscode devicecode securitycode pincode
  recoverycode recoverycodes backupcodes accesssignature accountjson keyfilejson keyjson
  seedphrase
`);

/** `<word> key` is a secret for these words. A primary key, a partition key or a public key is not. */
const keyOwners = wordSet(`
  api access private secret account shared encryption decryption signing master sas subscription
  storage function functions license licence service ssh pgp gpg rsa hmac aes ssl tls client auth
  app application consumer session security deploy deployment integration instrumentation ingest
  ingestion write admin root bot jwt pem crypto cipher wrapping vault kms symmetric management
  activation apim bearer webhook hook gateway openai anthropic stripe
`);

/** A name that ends with one of these is about a secret but does not contain it: `token_url`, `password_policy`. */
const attributes = wordSet(`
  url uri endpoint type types kind name names limit limits count counts length scope scopes column
  columns field fields path paths param parameter policy expiry expires expiration ttl lifetime
  size enabled disabled required mode method format provider version algorithm alg prefix suffix
  age file files filename dir folder ref reference store backend manager rotation days day hour
  hours minute minutes second seconds ms index position budget usage min max audience issuer hint
  location separator mapping domain header encoding rate strength complexity attempts retries
  reset arn env provided exists set changed updated created at by status state label description
  table dataset window interval timeout strategy class fingerprint placeholder
`);

/** Tokens that are counted or that name a page are not secrets: `max_tokens`, `next_page_token`. */
const counted = wordSet(`
  max min total num n count input output prompt completion used limit page continuation cursor
  next sync stop pad special reserved remaining
`);

/** Parts of words that were written without a separator: `accesstoken`, `pgpassword`, `clientsecret`. */
const secretParts = ["password", "passwd", "passphrase", "passwort"];
const secretEndings = [
  ...wordSet(`
    secret secrets token tokens credential credentials passcode pwd cookie cookies authorization
    webhook webhookurl sessionid sessid connectionstring connstr
  `),
];

function hasSecretName(words: readonly string[]): boolean {
  const last = words.at(-1);
  if (last === undefined) return false;
  const before = words.at(-2) ?? "";
  const isWebhook = /^(?:url|urls|uri)$/.test(last) && /^(?:web)?hooks?$/.test(before);
  if (isWebhook || secretPairs.has(before + last)) return true;
  if (attributes.has(last)) return false;
  if (/tokens?$/.test(last) && words.some((word) => counted.has(word))) return false;
  if (lastWords.has(last) || secretPairs.has(last)) return true;
  return words.some(
    (word, at) => isSecretWord(word) || isSecretPair(word, words[at + 1]) || isSecretKeyWord(word),
  );
}

const isSecretWord = (word: string) =>
  secretWords.has(word) ||
  secretParts.some((part) => word.includes(part)) ||
  secretEndings.some((ending) => word.endsWith(ending));

function isSecretPair(word: string, next: string | undefined): boolean {
  if (next === undefined) return false;
  return next === "key" || next === "keys" ? keyOwners.has(word) : secretPairs.has(word + next);
}

/** `apikey`, `accountkeys`. */
function isSecretKeyWord(word: string): boolean {
  if (!/keys?$/.test(word)) return false;
  return keyOwners.has(word.slice(0, word.lastIndexOf("key")));
}

/**
 * How to treat a value, by the keys that lead to it. "secret": every text in it is secret, unless declared public.
 * "headers": every value is secret unless the header is public. "names": names of tables and columns, or code; never
 * secret. "plain": the text of the value decides.
 */
export type SecretContext = "plain" | "secret" | "headers" | "names";

/** Keys of maps and texts that contain names or code only, although a column can be called `token`. */
const nameKeys = wordSet(`
  primary_keys watermark_columns pii_columns columns column_types column_mapping mapping mappings
  types dtypes schema rename renames comments column_comments column_tags key_columns query sql
  statement statements filter where condition expression
`);

/** Maps of headers and cookies. Every value in them is a secret unless its header is public. */
const headerMap = /(?:headers?|cookies?)$/i;

/** Keys in a map of credentials whose values are public: `auth: {type, user, password}`. */
const publicInside = wordSet(`
  name type kind in header param parameter scheme prefix user username method host port database
  scope scopes enabled expires expires_in expires_at region client_id clientid tenant_id tenantid
  project_id client_email account provider realm domain algorithm version description label login
  email role id active
`);

/** `auth: basic` names a method, not a secret. */
const authMethod =
  /^(?:none|basic|bearer|digest|oauth2?|oauth[_-]?\w{0,20}|token|jwt|ntlm|kerberos|iam|sql|windows|aad|md5|scram\S{0,16}|api[_-]?key|password|key[_-]?pair|certificate|mtls|ldap|saml|sso|service[_-]?(?:account|principal)|managed[_-]?identity|client[_-]?credentials|true|false|required|optional|plain|default)$/i;

/** The context of a value below a key, given the context of the map. */
export function contextBelow(key: string, value: unknown, parent: SecretContext): SecretContext {
  if (parent === "names") return "names";
  if (parent === "headers") return isPublicHeader(key) ? "plain" : "secret";
  if (parent === "secret") {
    // A whole map below a public name may still contain credentials.
    return publicInside.has(key.toLowerCase()) || isAddressKey(key) ? "plain" : "secret";
  }
  if (nameKeys.has(key)) return "names";
  if (typeof value === "object" && headerMap.test(key)) return "headers";
  if (!isSecretKey(key)) return "plain";
  return typeof value === "string" && authMethod.test(value) && /auth(?:entication)?$/i.test(key)
    ? "plain"
    : "secret";
}

/** For example the address of a token endpoint. A secret in it is masked as in any URL. */
const isAddressKey = (key: string) => /(?:^|[_-])(?:url|uri|endpoint)$/i.test(key);

/** Headers that never contain secrets. */
const publicHeaders = wordSet(`
  accept accept-charset accept-encoding accept-language api-version cache-control content-encoding
  content-language content-length content-type host if-modified-since if-none-match prefer
  user-agent x-api-version x-correlation-id x-request-id x-requested-with
`);

export const isPublicHeader = (name: string): boolean => publicHeaders.has(name.toLowerCase());
