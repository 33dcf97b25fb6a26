import type { VNode } from "preact";
import { FilterText } from "./filter-text.tsx";

/** The field for the parameter `search` of the address. The key `/` moves the focus to it. */
export const SearchField = ({ label }: { label: string }): VNode => (
  <FilterText name="search" label={label} type="search" />
);
