import type { VNode } from "preact";
import { connectorKinds } from "./kinds.ts";

const questions = {
  import: "Import tables into the warehouse from",
  export: "Export tables of the warehouse to",
} as const;

/** The choice of the source or target system. */
export function KindStep({ onChoose }: { onChoose: (id: string) => void }): VNode {
  return (
    <section class="stack" aria-label="System">
      {(["import", "export"] as const).map((direction) => (
        <section key={direction} class="stack" aria-labelledby={direction}>
          <h2 id={direction}>{questions[direction]}</h2>
          <ul class="choices">
            {connectorKinds
              .filter((kind) => kind.direction === direction)
              .map(({ id, title, about }) => (
                <li key={id}>
                  <button type="button" class="choice" onClick={() => onChoose(id)}>
                    <strong>{title}</strong>
                    <span class="soft">{about}</span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
