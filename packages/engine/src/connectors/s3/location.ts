import { connectionKind } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";

export const isS3Path = (path: string): boolean => /^s3a?:\/\//i.test(path);

/** Whether the path of a connection is an address of object storage and not one of this machine. */
export const isRemotePath = (type: string, path: string): boolean =>
  connectionKind(type)?.hasStorage === true && isS3Path(path);

export interface S3Location {
  readonly bucket: string;
  /** Empty, or ends with "/". */
  readonly prefix: string;
}

/** Reads `s3://bucket/prefix`. Throws a DataProblem for any other path. */
export function readS3Location(path: string): S3Location {
  const [, bucket = "", rest = ""] = /^s3a?:\/\/([^/]*)\/*(.*)$/is.exec(path) ?? [];
  if (!/^[a-z0-9][a-z0-9._-]{1,253}$/i.test(bucket)) {
    throw new DataProblem(`${JSON.stringify(path)} has no bucket. Expected s3://bucket/folder.`);
  }
  const prefix = rest.replace(/\/+$/, "");
  const problem = keyProblem(prefix);
  if (problem) throw new DataProblem(`${JSON.stringify(path)} cannot be used: ${problem}.`);
  if (/[*?[\]{}]/.test(prefix)) {
    throw new DataProblem(`${JSON.stringify(path)} has a pattern. Write it into source_dataset.`);
  }
  return { bucket, prefix: prefix === "" ? "" : `${prefix}/` };
}

/** Why a key cannot be requested. HTTP clients resolve "." and ".." in a path, so another object would be read. */
export function keyProblem(key: string): string | undefined {
  if (key.split("/").some((name) => name === "." || name === ".."))
    return 'it contains "." or ".." as a folder';
  return key.includes("\0") ? "it contains a zero byte" : undefined;
}
