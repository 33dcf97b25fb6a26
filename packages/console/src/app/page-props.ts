import type { FunctionComponent } from "preact";

/** What a page gets: the parameters of its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

export type PageComponent = FunctionComponent<PageProps>;
