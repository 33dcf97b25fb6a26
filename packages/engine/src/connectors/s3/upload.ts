import { type FileHandle, open } from "node:fs/promises";
import { DataProblem } from "../../protocol/problem.ts";
import type { S3Client } from "./client.ts";
import { inParallel } from "./in-parallel.ts";
import { S3Failure, s3Problem } from "./problem.ts";
import { elements, elementText, escaped } from "./xml.ts";

/** A file up to this size is one request. */
const singleBytes = 16 * 2 ** 20;
const leastPart = 8 * 2 ** 20;
/** Parts that are in memory at a time. */
const partsAtOnce = 4;
/** An upload has at most 10,000 parts. */
const mostParts = 10_000;

/**
 * Writes a file as an object. It becomes visible as a whole, in place of an earlier one: a request that stores an object, and
 * the one that completes an upload in parts, are atomic.
 */
export async function upload(client: S3Client, key: string, path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size <= singleBytes) await putObject(client, key, await bytesOf(file, 0, size));
    else await uploadParts(client, key, file, size);
  } finally {
    await file.close();
  }
}

async function bytesOf(file: FileHandle, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(to - from);
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
    if (bytesRead === 0) throw new Error("The file became shorter while it was read.");
    at += bytesRead;
  }
  return bytes;
}

const requireKnown = (client: S3Client, key: string, error: unknown): never => {
  throw error instanceof S3Failure ? s3Problem(client.shown(key), client.settings, error) : error;
};

export async function putObject(
  client: S3Client,
  key: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  await client.text({ method: "PUT", key, body }).catch((error: unknown) => requireKnown(client, key, error));
}

async function uploadParts(client: S3Client, key: string, file: FileHandle, size: number): Promise<void> {
  const started = await client
    .text({ method: "POST", key, query: { uploads: "" } })
    .catch((error: unknown) => requireKnown(client, key, error));
  const uploadId = elementText(started, "UploadId");
  if (uploadId === undefined)
    throw new DataProblem(`${client.shown(key)} cannot be written: the server starts no upload.`);
  try {
    const tags = await sendParts(client, key, uploadId, file, size);
    const parts = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`;
    const completed = await client.text({ method: "POST", key, query: { uploadId }, body });
    // The answer begins before the parts are put together, so it may be an error with the status 200.
    const code = elementText(completed, "Code");
    if (code !== undefined) {
      const message = elementText(completed, "Message") ?? "";
      throw new S3Failure({ status: 500, code, message });
    }
  } catch (error) {
    await abort(client, key, uploadId);
    requireKnown(client, key, error);
  }
}

async function sendParts(
  client: S3Client,
  key: string,
  uploadId: string,
  file: FileHandle,
  size: number,
): Promise<string[]> {
  const partBytes = Math.max(leastPart, Math.ceil(size / mostParts));
  const tags: string[] = [];
  await inParallel([...Array(Math.ceil(size / partBytes)).keys()], partsAtOnce, async (at) => {
    client.signal.throwIfAborted();
    const body = await bytesOf(file, at * partBytes, Math.min(size, (at + 1) * partBytes));
    const query = { partNumber: String(at + 1), uploadId };
    tags[at] = await client.send({ method: "PUT", key, query, body }, async (response) => {
      for await (const _ of response.body);
      const tag = response.headers.get("ETag");
      if (tag === null)
        throw new DataProblem(`${client.shown(key)} cannot be written: the server confirms no part.`);
      return tag;
    });
  });
  return tags;
}

/** Parts of an unfinished upload cannot be read, but take space. */
async function abort(client: S3Client, key: string, uploadId: string): Promise<void> {
  await client.text({ method: "DELETE", key, query: { uploadId } }).catch(() => {});
}

/** Removes uploads of this object that were not completed: those of runs that were killed. */
export const abortUnfinished = (client: S3Client, key: string): Promise<void> =>
  abortUploads(client, key, (found) => found === key);

/** Removes uploads that were not completed, for all objects whose keys begin with a prefix. */
export const abortUnfinishedBelow = (client: S3Client, prefix: string): Promise<void> =>
  abortUploads(client, prefix, (found) => found.startsWith(prefix));

async function abortUploads(
  client: S3Client,
  prefix: string,
  isOwn: (key: string) => boolean,
): Promise<void> {
  const xml = await client.text({ key: "", query: { uploads: "", prefix } }).catch(() => {
    // Not every server lists uploads, and the access key may lack the permission. Nothing reads an upload that was not
    // completed.
    client.signal.throwIfAborted();
    return "";
  });
  for (const found of elements(xml, "Upload")) {
    const [key, uploadId] = [elementText(found, "Key"), elementText(found, "UploadId")];
    if (key !== undefined && isOwn(key) && uploadId !== undefined) await abort(client, key, uploadId);
  }
}

export async function deleteObject(client: S3Client, key: string): Promise<void> {
  await client.text({ method: "DELETE", key }).catch((error: unknown) => {
    if (!(error instanceof S3Failure && error.status === 404)) requireKnown(client, key, error);
  });
}
