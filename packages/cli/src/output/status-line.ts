import { type Io, isInteractive, write } from "../io.ts";
import { withOptions } from "../repeated-options.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Lines that stay, and below them on a terminal one line with a spinner that says what happens now. */
export interface StatusLine {
  readonly isAnimated: boolean;
  print(text: string): Promise<void>;
  /** Replaces the line at the end. Without a terminal it is not shown. */
  show(text: string): void;
  clear(): void;
}

/** `isForPeople`: the lines are the output. Otherwise the output is JSON or the like, and they are notes. */
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
