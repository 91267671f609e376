import type { ActivityObserver } from '../adapters/telemetry/metrics/activity-metrics.ts';

/** Activities of an install, with those of its observer. */
const burst = 10;
/** Installs under way end an activity more often than this, and rendered releases are let go before. */
const quietMs = 20_000;

/**
 * Collects garbage once when many activities have ended and then none for a while. V8 keeps what a burst of installs left
 * behind until it needs room again, which may be days later. The collection stops the process for some 0.1 s.
 */
export function collectAfterBursts(collect: () => void): ActivityObserver {
  let ended = 0;
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    if (ended < burst) return;
    ended = 0;
    collect();
  };
  return () => {
    ended += 1;
    clearTimeout(timer);
    timer = setTimeout(settle, quietMs).unref();
  };
}
