import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { place, setQuery } from "../../app/router.ts";

const periods = [
  { value: "1h", text: "Last hour", ms: 3_600_000 },
  { value: "24h", text: "Last 24 hours", ms: 86_400_000 },
  { value: "7d", text: "Last 7 days", ms: 7 * 86_400_000 },
  { value: "30d", text: "Last 30 days", ms: 30 * 86_400_000 },
];

/** The period in the address. `from` and `to` are in the viewer's time zone. */
export function usePeriod(): { created_after?: string; created_before?: string } {
  const { query } = place.value;
  const since = query.get("since");
  const from = query.get("from");
  const to = query.get("to");
  return useMemo(() => {
    const period = periods.find(({ value }) => value === since);
    if (period) return { created_after: new Date(Date.now() - period.ms).toISOString() };
    const after = instantOf(from);
    const before = instantOf(to);
    return { ...(after && { created_after: after }), ...(before && { created_before: before }) };
  }, [since, from, to]);
}

function instantOf(local: string | null): string | undefined {
  const ms = local === null ? Number.NaN : Date.parse(local);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Selects a period that ends now, or one between any two times. */
export function PeriodFilter(): VNode {
  const { query } = place.value;
  const from = query.get("from") ?? "";
  const to = query.get("to") ?? "";
  const isCustom = from !== "" || to !== "" || query.has("between");
  const value = isCustom ? "between" : (query.get("since") ?? "");
  return (
    <>
      <select
        class="input"
        aria-label="Time"
        value={value}
        onChange={({ currentTarget }) =>
          setQuery(
            currentTarget.value === "between"
              ? { since: undefined, between: "1" }
              : { since: currentTarget.value, from: undefined, to: undefined, between: undefined },
          )
        }
      >
        <option value="">Any time</option>
        {periods.map((period) => (
          <option key={period.value} value={period.value}>
            {period.text}
          </option>
        ))}
        <option value="between">Between…</option>
      </select>
      {isCustom && (
        <>
          <TimeInput label="From" name="from" value={from} />
          <TimeInput label="To" name="to" value={to} />
        </>
      )}
    </>
  );
}

const TimeInput = ({ label, name, value }: { label: string; name: string; value: string }): VNode => (
  <input
    class="input"
    type="datetime-local"
    aria-label={label}
    title={`${label}, in your time zone`}
    value={value}
    onChange={(event) => setQuery({ [name]: event.currentTarget.value, between: "1" })}
  />
);
