import type { VNode } from "preact";
import { FilterText } from "./filter-text.tsx";

/** The parameter `search` of the address. `/` goes there. */
export const SearchField = ({ label }: { label: string }): VNode => (
  <FilterText name="search" label={label} type="search" />
);
