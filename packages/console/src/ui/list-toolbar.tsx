import type { ComponentChildren, VNode } from "preact";
import { counted } from "../format/number.ts";
import { FilterSelect, filterValue } from "./filter-select.tsx";
import { SearchField } from "./search-field.tsx";

interface ListToolbarProps {
  /** The items of the list, such as `connectors`. */
  readonly what: string;
  /** The statuses to choose from. Absent: there is no choice. */
  readonly statuses?: readonly string[];
  /** The number of items that match the filters, if known. */
  readonly total?: number | undefined;
  /** Further controls, at the end. */
  readonly children?: ComponentChildren;
}

/** The filters above a list: search and status, which are parts of the address. */
export function ListToolbar({ what, statuses, total, children }: ListToolbarProps): VNode {
  return (
    <div class="toolbar">
      <SearchField label={`Search ${what}`} />
      {statuses && <FilterSelect name="status" label="Status" any="Any status" options={statuses} />}
      {total !== undefined && (
        <span class="faint number" role="status">
          {counted(total, what.replace(/s$/, ""))}
        </span>
      )}
      {children && <span class="grow" />}
      {children}
    </div>
  );
}

/** The parameter `status` of the address, if it is one of these statuses. */
export const chosenStatus = <T extends string>(statuses: readonly T[]): T | undefined =>
  filterValue("status", statuses);
