export interface StreamMessage {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}
