import type { Config } from "@lakehelm/contract/connections";
import { readConfig, storageFields } from "@lakehelm/contract/connections";
import { trimEnd } from "@lakehelm/contract/text";
import { DataProblem } from "../../protocol/problem.ts";
import { readS3Location, type S3Location } from "./location.ts";

interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

export interface S3Settings extends S3Location {
  readonly region: string;
  /** The address of the bucket, without a "/" at the end. */
  readonly url: string;
  /** Without credentials, requests are not signed: for public buckets. */
  readonly credentials: S3Credentials | undefined;
}

export const storageKeys: readonly string[] = Object.keys(storageFields);

/** Reads the config of a connection whose path is an address of object storage. */
export function readS3Settings(config: Config, place: string): S3Settings {
  const given = Object.fromEntries(Object.entries(config).filter(([key]) => storageKeys.includes(key)));
  const { values, problems } = readConfig(storageFields, given, place);
  const location = readS3Location(String(config.path));
  const { access_key_id: id, secret_access_key: secret, session_token: sessionToken } = values;
  if ((id === undefined) !== (secret === undefined)) {
    problems.push(
      `${place}: access_key_id and secret_access_key belong together. Set both, or none for a public bucket.`,
    );
  }
  if (sessionToken !== undefined && id === undefined) {
    problems.push(`${place}.session_token: it needs access_key_id and secret_access_key.`);
  }
  if (values.endpoint === undefined && values.region === undefined) {
    problems.push(`${place}.region: it is required, unless there is an endpoint.`);
  }
  if (problems.length > 0) throw new DataProblem(problems.join(" "));
  const region = values.region ?? "us-east-1";
  return {
    ...location,
    region,
    url: bucketUrl(location.bucket, region, values.endpoint, values.path_style),
    credentials:
      id === undefined || secret === undefined
        ? undefined
        : { accessKeyId: id, secretAccessKey: secret, sessionToken },
  };
}

/**
 * Amazon expects the bucket in the host name; most compatible servers expect it in the path. A name with a dot does not fit
 * the certificate of `*.s3.amazonaws.com`.
 */
function bucketUrl(
  bucket: string,
  region: string,
  endpoint: string | undefined,
  style: "true" | "false" | undefined,
): string {
  const suffix = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const base = new URL(endpoint ?? `https://s3.${region}.${suffix}`);
  const isPath =
    style === undefined ? endpoint !== undefined || !/^[a-z0-9-]+$/.test(bucket) : style === "true";
  if (isPath) return `${trimEnd(base.href, /\//)}/${encodeURIComponent(bucket)}`;
  base.hostname = `${bucket}.${base.hostname}`;
  return trimEnd(base.href, /\//);
}
