/**
 * How often an idle component costs history, in hours: an observation of its target ends and begins anew, and it compares
 * the target with its inventory by itself. What is well has an observer, so its own comparison is a backstop.
 */
export const idleHours = { observation: 6, comparison: 12, comparisonAfterFailure: 6 } as const;

const spread = { least: 0.8, most: 1.2 } as const;

/** What an interval is multiplied by, so that a fleet does not begin all at once; `random` is from 0 to 1. */
export function idleSpread(random: number): number {
  return spread.least + random * (spread.most - spread.least);
}

/** The most events of history that one idle component adds in a day, whatever the spread. */
export function mostEventsADay(events: {
  /** Of one observation of its target. */
  readonly observation: number;
  /** Of one comparison that a timer asks for. */
  readonly comparison: number;
}): number {
  const times = (hours: number): number => 24 / (hours * spread.least);
  return events.observation * times(idleHours.observation) + events.comparison * times(idleHours.comparison);
}
