import { wordSet, wordsOf } from "./key-words.ts";
import { isPublicHeader } from "./secret-keys.ts";

/**
 * Settings that do not decide where a credential is sent. A change of any other value of a config changes the
 * destination.
 */
const settingNames = wordSet(`
  user username description comment comments note notes title label labels tag tags owner team
  contact display_name batch_size page_size fetch_size fetchsize chunk_size buffer_size limit
  offset timeout timeout_seconds timeout_ms connect_timeout retries max_retries retry_seconds
  concurrency parallelism rate_limit primary_keys primary_key key_columns key_column
  watermark_columns watermark_column watermark_param pii_columns pii_suppressed max_reject_share
  max_delete_share on_missing_column on_added_column on_lost_rows watermark_lag deletes columns column table tables table_name dataset
  datasets schema catalog mode write_mode write_strategy strategy format encoding delimiter header
  quote escape records_path paging timezone locale language schedule cron interval enabled active
  version application_name query filter where log_level wait_after_last_change_seconds condition
  min_time_between_triggers_seconds table_names
`);

/** A header such as `Host` can decide which server receives a request. */
const routingHeaders = new Set(["host"]);

/** Whether a value below this key decides where the credentials beside it are sent. */
export const isDestinationKey = (key: string): boolean =>
  !settingNames.has(key) && (!isPublicHeader(key) || routingHeaders.has(key.toLowerCase()));

const destinationWords = wordSet(`
  host hostname hosts port url urls uri uris path endpoint endpoints server servers address addr
  account database db dbname domain site instance workspace region proxy bucket container gateway
  broker brokers bootstrap cluster node nodes type kind driver protocol scheme ssl sslmode tls
  verify tenant org organization project subscription channel target destination remote origin
  registry
`);

/**
 * Whether a parameter is a destination. Most parameters are not, so the key must contain a word for destinations, or
 * the value must look like an address.
 */
export const isAddress = (key: string, value: unknown): boolean =>
  isDestinationKey(key) &&
  (typeof value === "object" ||
    wordsOf(key).some((word) => destinationWords.has(word)) ||
    (typeof value === "string" &&
      /:\/\/|@|^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)|^localhost|^\[|^[/\\]/.test(value)));
