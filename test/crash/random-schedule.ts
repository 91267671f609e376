import { seededRandom } from '../conformance/seeded-random.ts';

/** Things that happen to one component, its operator and its spoke, and how often each is drawn. */
const weights = {
  edit: 7,
  pause: 3,
  remove: 4,
  create: 5,
  'lose an object': 4,
  'change an object': 4,
  'kill the worker': 2,
  'kill the starter': 1,
  'start the starter': 2,
  'repeat messages': 3,
  'tell what is not so': 3,
  'cut connections': 2,
  'answer 503': 3,
  'answer 429': 2,
  'withhold answers': 2,
  'lose events': 3,
  'double events': 2,
  'reorder events': 3,
  'let it rest': 3,
} as const;

export type Happening = keyof typeof weights;

export interface Step {
  readonly what: Happening;
  /** Which component, counted from 0. */
  readonly component: number;
  /** For what else is to be chosen, from 0 to 999. */
  readonly dice: number;
  readonly pauseMs: number;
}

/** The same steps for the same seed. */
export function randomSchedule(seed: number, length: number, components: number): readonly Step[] {
  const random = seededRandom(seed);
  const urn = Object.entries(weights).flatMap(([what, count]) =>
    Array.from({ length: count }, () => what as Happening),
  );
  return Array.from({ length }, () => ({
    what: urn[random(urn.length)] ?? 'edit',
    component: random(components),
    dice: random(1_000),
    pauseMs: random(700),
  }));
}
