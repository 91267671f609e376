import { describeSchedules } from './describe-schedules.ts';

/** `KNATIVE_FLEET_SEEDS` is how many schedules are tried, and `KNATIVE_FLEET_FIRST_SEED` where they begin. */
const count = Number(process.env['KNATIVE_FLEET_SEEDS'] ?? 3);
const first = Number(process.env['KNATIVE_FLEET_FIRST_SEED'] ?? 1);

describeSchedules(
  Array.from({ length: count }, (_, index) => first + index),
  40,
);
