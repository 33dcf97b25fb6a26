import type { VNode } from "preact";
import { type Action, useAction } from "../app/queries.ts";
import { navigate } from "../app/router.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icons.tsx";

/** Starts a run and shows its page. The caller shows the error. */
export const useRunNow = (start: () => Promise<{ readonly id: string }>): Action<[]> =>
  useAction(async () => navigate(`/runs/${(await start()).id}`));

interface RunNowButtonProps {
  readonly action: Action<[]>;
  readonly whyNot: string | undefined;
}

export function RunNowButton({ action, whyNot }: RunNowButtonProps): VNode {
  return (
    <Button kind="primary" onClick={() => void action.run()} isBusy={action.isRunning} whyNot={whyNot}>
      <Icon name="play" />
      Run now
    </Button>
  );
}
