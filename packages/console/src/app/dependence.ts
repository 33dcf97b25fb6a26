/** What a query depends on: kinds of events such as `run.*`, and optionally one subject such as `connector/019f…`. */
export interface Dependence {
  readonly kind: string;
  readonly subject?: string | undefined;
}
