/** How long ago a time was, as kubectl writes it: `42s`, `5m12s`, `3h`, `12d`. Empty for no time. */
export function age(time: string | null | undefined, now: number): string {
  const then = Date.parse(time ?? '');
  if (Number.isNaN(then)) return '';
  const seconds = Math.max(0, Math.floor((now - then) / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (seconds < 120) return `${String(seconds)}s`;
  if (minutes < 10) return `${String(minutes)}m${remainder(seconds, 60, 's')}`;
  if (hours < 3) return `${String(minutes)}m`;
  if (hours < 8) return `${String(hours)}h${remainder(minutes, 60, 'm')}`;
  return hours < 48 ? `${String(hours)}h` : `${String(Math.floor(hours / 24))}d`;
}

function remainder(amount: number, of: number, unit: string): string {
  const rest = amount % of;
  return rest === 0 ? '' : `${String(rest)}${unit}`;
}
