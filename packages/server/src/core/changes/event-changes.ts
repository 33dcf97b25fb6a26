import { encodeJson } from "@lakehelm/contract/schema";
import { changesBetween } from "./field-changes.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A changed field in an event, with its values before and after. Null means no value. */
interface EventChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that every change sets, and fields that the server fills in afterwards. */
const ownFields = new Set([
  "updated_at",
  "updated_by",
  "updatedAt",
  "updatedBy",
  "status",
  "error_message",
  "workflow_id",
]);
/** 20 fields with values of this length stay below the longest event of the log: 64 KB, see store.ts. */
const maxChanges = 20;
const maxValueLength = 1_000;

/**
 * What a change of a resource did, field by field, for its event. The documents are as callers read them, so secrets
 * are masks: a secret that is replaced by another secret is not listed.
 */
export function eventChanges(before: object, after: object): { readonly changes?: readonly EventChange[] } {
  // This runs with every write, and most fields are the same objects before and after: those are skipped first.
  const names = [
    ...Object.keys(after).filter((name) => fieldOf(before, name) !== fieldOf(after, name)),
    ...Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
  ].filter((name) => !ownFields.has(name));
  const changes = changesBetween(partOf(before, names), partOf(after, names)).slice(0, maxChanges);
  if (changes.length === 0) return {};
  return {
    changes: changes.map((change) => ({
      path: String(shortened(change.path)),
      before: shortened(change.before),
      after: shortened(change.after),
    })),
  };
}

const fieldOf = (doc: object, name: string): unknown => (doc as Fields)[name];

function partOf(doc: object, names: readonly string[]): { readonly open: Fields; readonly masked: Fields } {
  const fields = Object.fromEntries(names.map((name) => [name, fieldOf(doc, name)]));
  return { open: fields, masked: fields };
}

/** A long value as a text that ends with "…". */
function shortened(value: unknown): unknown {
  const text = typeof value === "string" ? value : (encodeJson(value) ?? "");
  return text.length <= maxValueLength ? value : `${text.slice(0, maxValueLength).toWellFormed()}…`;
}
