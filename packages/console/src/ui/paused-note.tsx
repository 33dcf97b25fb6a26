import type { VNode } from "preact";
import { Time } from "./time.tsx";

interface Pause {
  readonly by: string;
  readonly reason: string | null;
  readonly until: string | null;
}

/** Who paused the job, why, and until when. */
export function PausedNote({ pause: { by, reason, until } }: { pause: Pause }): VNode {
  return (
    <>
      ·
      <span>
        paused by {by}
        {reason && `: ${reason}`}
        {until && (
          <>
            {" "}
            until <Time at={until} absolute />
          </>
        )}
      </span>
    </>
  );
}
