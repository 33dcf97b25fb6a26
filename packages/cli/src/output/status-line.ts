import { type Io, isInteractive, write } from "../io.ts";
import { withOptions } from "../repeated-options.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Lines that stay on the screen. On a terminal, a line below them shows the current state with a spinner. */
export interface StatusLine {
  readonly isAnimated: boolean;
  print(text: string): Promise<void>;
  /** Replaces the line at the bottom. Without a terminal, this shows nothing. */
  show(text: string): void;
  clear(): void;
}

/**
 * `isForPeople`: the lines are the output. Otherwise the output is in a format such as JSON, and the lines are notes.
 */
export function createStatusLine(io: Io, isForPeople: boolean): StatusLine {
  const isAnimated = isForPeople && isInteractive(io);
  const stream = isForPeople ? io.stdout : io.stderr;
  let shown = "";
  let frame = 0;
  const erase = () => {
    if (isAnimated && shown !== "") io.stderr.write("\r\u001b[K");
  };
  const draw = () => {
    if (shown === "") return;
    const width = (io.stderr.columns || 80) - 1;
    const text = [...`${frames[frame++ % frames.length]} ${shown}`].slice(0, width).join("");
    io.stderr.write(`\r\u001b[K${text}`);
  };
  const timer = isAnimated ? setInterval(draw, 120) : undefined;
  return {
    isAnimated,
    async print(text) {
      erase();
      await write(stream, `${withOptions(text, io.repeated)}\n`);
      if (isAnimated) draw();
    },
    show(text) {
      if (!isAnimated) return;
      shown = text;
      draw();
    },
    clear() {
      erase();
      shown = "";
      clearInterval(timer);
    },
  };
}
