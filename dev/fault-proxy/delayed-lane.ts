import type { Socket } from 'node:net';

/** What both directions of all connections of a proxy obey. */
export interface LinkState {
  delayMs: number;
  blackHole: boolean;
}

/** One direction of one connection: chunks leave in order, each no earlier than its delay after it came. */
export interface DelayedLane {
  /** Undefined stands for the end of the stream. */
  push(chunk: Buffer | undefined): void;
  /** To be called when the state of the link has changed. */
  drain(): void;
}

export function createDelayedLane(to: Socket, link: Readonly<LinkState>): DelayedLane {
  const queue: { chunk: Buffer | undefined; dueAt: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const drain = (): void => {
    clearTimeout(timer);
    if (link.blackHole) return;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0) {
        timer = setTimeout(drain, Math.ceil(waitMs));
        return;
      }
      queue.shift();
      if (to.writable && next.chunk !== undefined) to.write(next.chunk);
      if (to.writable && next.chunk === undefined) to.end();
    }
  };
  to.on('close', () => {
    clearTimeout(timer);
    queue.length = 0;
  });
  return {
    drain,
    push(chunk) {
      queue.push({ chunk, dueAt: performance.now() + link.delayMs });
      if (queue.length === 1) drain();
    },
  };
}
