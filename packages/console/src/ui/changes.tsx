import type { VNode } from "preact";

export interface FieldChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The values are secret and not shown. */
  readonly sensitive?: boolean;
}

interface ChangesProps {
  readonly changes: readonly FieldChange[];
  readonly label: string;
  /** The headings of the two columns of values. */
  readonly before?: string;
  readonly after?: string;
}

/** Fields with their values before and after a change. */
export function Changes({ changes, label, before = "Before", after = "After" }: ChangesProps): VNode {
  // A created resource has no values before, a deleted one none after.
  const hasBefore = changes.some((one) => isGiven(one.before)) || !changes.some((one) => isGiven(one.after));
  const hasAfter = changes.some((one) => isGiven(one.after));
  return (
    <div class="changes-box" role="region" aria-label={label} tabIndex={0}>
      <table class="changes" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {hasBefore && <th scope="col">{before}</th>}
            {hasAfter && <th scope="col">{after}</th>}
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.path}>
              <th scope="row">{change.path}</th>
              {hasBefore && (
                <td class="before">
                  <Value value={change.before} isSecret={change.sensitive} />
                </td>
              )}
              {hasAfter && (
                <td class="after">
                  <Value value={change.after} isSecret={change.sensitive} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isGiven = (value: unknown) => value !== null && value !== undefined;

function Value({ value, isSecret }: { value: unknown; isSecret?: boolean | undefined }): VNode {
  if (!isGiven(value)) return <span class="none">none</span>;
  if (isSecret) return <span class="none">a secret, not shown</span>;
  return <code>{textOf(value)}</code>;
}

/** A value on one line, or as JSON on several lines. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value === "" ? '""' : value;
  const line = JSON.stringify(value);
  return line.length <= 60 ? line : JSON.stringify(value, null, 2);
}
