import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "../../../protocol/problem.ts";
import type { ReadableFormat } from "./settings.ts";

const otherCompressions = "gzip|bz2|zst|zstd|xz|zip|lz4|br|7z|z";
export const isOtherwiseCompressed = new RegExp(`\\.(${otherCompressions})$`, "i");

/** The names of the files that are read from a folder. A file or pattern that is named explicitly may have any extension. */
export interface FileNames {
  test(name: string): boolean;
  /** The extensions, for an error message. */
  readonly words: string;
}

/** Files in other compressions than gzip belong to a folder, too: they are an error instead of missing rows. */
function filesNamed(endings: readonly string[], isCompressed = true): FileNames {
  const pattern = new RegExp(`\\.(${endings.join("|")})(\\.(gz|${otherCompressions}))?$`, "i");
  const words = `${endings.map((ending) => `.${ending}`).join(", ")}${isCompressed ? ", each also with .gz" : ""}`;
  return { test: (name) => pattern.test(name), words };
}

export const fileNames: Readonly<Record<ReadableFormat, FileNames>> = {
  csv: filesNamed(["csv", "tsv", "txt"]),
  json: filesNamed(["json", "jsonl", "ndjson"]),
  parquet: filesNamed(["parquet", "parq", "pq"], false),
};

/** `others`: names that exist. If none of them is similar, the message says which extensions are read. */
export function missingFile(
  dataset: string,
  place: string,
  others: Iterable<string>,
  { extensions, namePattern }: { readonly extensions: FileNames; readonly namePattern: string | undefined },
): DataProblem {
  const close = suggestion(dataset, others);
  const also = namePattern === undefined ? "" : ` and match pathGlobFilter (${namePattern})`;
  const rule = `A dataset is a file, a pattern such as 2026-*.csv, or a folder: of a folder, files count whose names end with ${extensions.words}${also}, and begin with neither a dot nor an underscore.`;
  return new DataProblem(
    `There is no file for ${JSON.stringify(dataset)} in ${place}.${close === "" ? ` ${rule}` : close}`,
  );
}
