import type { Terminal } from '../terminal.ts';

const quietMs = 1_000;
const redrawMs = 200;
const lineMs = 15_000;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Says what is under way. */
export interface Progress {
  /** Replaces the text, such as after each of many objects. */
  show(text: string): void;
}

/**
 * Runs a body and, when it takes longer than a second, says on standard error what it does: a line that is redrawn on a
 * terminal, else a plain line at once and then every 15 s. Nothing is left on a terminal afterwards.
 */
export async function withProgress<T>(
  terminal: Pick<Terminal, 'note' | 'redraws'>,
  text: string,
  body: (progress: Progress) => Promise<T>,
): Promise<T> {
  let shown = text;
  const started = performance.now();
  const seconds = (): string => String(Math.round((performance.now() - started) / 1000));
  let frame = 0;
  const draw = (): void => {
    if (!terminal.redraws) return terminal.note(`${shown} (${seconds()} s)\n`);
    frame = (frame + 1) % frames.length;
    terminal.note(`\r\u001b[K${frames[frame] ?? ''} ${shown} (${seconds()} s)`);
  };
  let repeat: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    draw();
    repeat = setInterval(draw, terminal.redraws ? redrawMs : lineMs);
  }, quietMs);
  try {
    return await body({ show: (next) => (shown = next) });
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
    if (repeat !== undefined && terminal.redraws) terminal.note('\r\u001b[K');
  }
}
