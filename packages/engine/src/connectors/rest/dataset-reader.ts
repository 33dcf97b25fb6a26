import { textOf } from "../source/json/cells.ts";
import type { JsonRecord } from "../source/json/exact-json.ts";
import type { Since } from "../source/source.ts";
import { isSince } from "../source/watermark-filter.ts";
import { readChildren } from "./children.ts";
import { pages, type RecordPage } from "./pages.ts";
import { type RestRequest, type RestSettings, requestOf, withParameter } from "./settings.ts";

export type TypedSince = Since & { readonly type: string };

interface DatasetPages {
  /** Takes a page, with the columns that come from a parent. Returns false if nothing more is needed. */
  readonly onPage: (page: RecordPage, keys: JsonRecord) => boolean;
  readonly onReject: (reason: string, keys: JsonRecord) => void;
  /** Bytes of answers that have no rows of the dataset. */
  readonly onBytes: (bytes: number) => void;
}

/** Reads all pages of a dataset from the watermark on. For a dataset with a parent, reads the pages of every parent. */
export async function readDataset(
  settings: RestSettings,
  dataset: string,
  since: TypedSince | undefined,
  { onPage, onReject, onBytes }: DatasetPages,
  signal: AbortSignal,
): Promise<void> {
  const withWatermark = (request: RestRequest) =>
    since && request.watermarkParam !== undefined
      ? withParameter(request, request.watermarkParam, watermarkValue(since, request.body !== undefined))
      : request;
  const parent = settings.requests.get(dataset)?.parent;
  if (!parent) {
    for await (const page of pages(withWatermark(requestOf(settings, dataset)), settings, signal)) {
      if (!onPage(page, {})) return;
    }
    return;
  }
  const { watermarkColumn } = parent;
  const isFiltered = since !== undefined && watermarkColumn !== undefined;
  const isNew = since ? isSince(since.type, since.value) : () => true;
  const parents = requestOf(settings, parent.dataset);
  await readChildren(
    {
      settings,
      dataset,
      parent,
      parents: isFiltered ? withWatermark(parents) : parents,
      withWatermark,
      isSelected(record) {
        const value = isFiltered ? (record[watermarkColumn] ?? null) : null;
        return value === null || isNew(textOf(value));
      },
      onPage,
      onReject,
      onParents: onBytes,
    },
    signal,
  );
}

/** The watermark as the API expects it: times in ISO 8601, other values unchanged. In a body, an integer is a number. */
function watermarkValue({ type, value }: TypedSince, inBody: boolean): unknown {
  if (type.startsWith("TIMESTAMP")) return `${value.replace(" ", "T").replace(/\+00(:00)?$/, "")}Z`;
  return inBody && /^(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/.test(type) ? JSON.rawJSON(value) : value;
}
