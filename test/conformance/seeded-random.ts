/** A number from 0 up to, not including, its argument; the same sequence for the same seed. */
export type Random = (below: number) => number;

/** Mulberry32: small and good enough to choose tests. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A shuffled copy. */
export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, at: random(2 ** 32) }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
