import type { VNode } from "preact";
import { sourceKinds } from "./kinds.ts";

/** Where the rows come from. */
export function KindStep({ onChoose }: { onChoose: (type: string) => void }): VNode {
  return (
    <section class="stack" aria-label="System">
      <p class="soft">
        From which system should tables be imported into the warehouse? (REST APIs and exports are set up with
        the API or the command line.)
      </p>
      <ul class="choices">
        {sourceKinds.map(({ type, title, about }) => (
          <li key={type}>
            <button type="button" class="choice" onClick={() => onChoose(type)}>
              <strong>{title}</strong>
              <span class="soft">{about}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
