/** A protobuf time as ISO text; null when it is not set. */
export function timeOf(time: { seconds?: unknown; nanos?: number | null } | null | undefined): string | null {
  if (time === null || time === undefined) return null;
  const milliseconds = Number(time.seconds ?? 0) * 1000 + Math.floor((time.nanos ?? 0) / 1e6);
  return milliseconds === 0 ? null : new Date(milliseconds).toISOString();
}
