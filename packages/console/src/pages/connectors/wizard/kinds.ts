import { type ConnectionForm, forms } from "@lakehelm/contract/connection-forms";

export type { ConnectionField } from "@lakehelm/contract/connection-forms";

export interface ConnectorKind extends ConnectionForm {
  /** The id in the address. */
  readonly id: string;
  readonly type: string;
  readonly direction: "import" | "export";
}

/** The kinds that the wizard can import from and export to. */
export const connectorKinds: readonly ConnectorKind[] = Object.entries(forms).flatMap(
  ([type, { source, target }]): ConnectorKind[] => [
    ...(source ? [{ ...source, type, id: type, direction: "import" as const }] : []),
    ...(target ? [{ ...target, type, id: `to-${type}`, direction: "export" as const }] : []),
  ],
);
