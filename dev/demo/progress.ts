/** Lines with the seconds since the start, for people who watch. */
export interface Progress {
  say(text: string): void;
}

export function createProgress(): Progress {
  const startedAt = performance.now();
  return {
    say(text) {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
      process.stdout.write(`${seconds} s  ${text}\n`);
    },
  };
}
