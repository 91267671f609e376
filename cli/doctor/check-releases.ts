import type { Session } from '../session.ts';
import type { Finding } from './finding.ts';
import { finding, ok, problem } from './finding.ts';

/** Whether there are releases to install, and which. */
export async function checkReleases(session: Session): Promise<readonly Finding[]> {
  const releases = await session.releases();
  const subject = { check: 'releases', object: releases.root };
  const advice = 'set RELEASES_DIRECTORY as the worker has it, or RELEASES_DOWNLOAD=true';
  const found = await finding(subject, advice, async () => {
    const { serving, eventing } = await releases.index();
    const what = `Serving ${span(serving)}, Eventing ${span(eventing)}`;
    return serving.length + eventing.length === 0 ? problem(subject, 'is empty', advice) : ok(subject, what);
  });
  return [found];
}

function span(versions: readonly string[]): string {
  const newest = versions.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return newest.length <= 3 ? newest.join(', ') || 'none' : `${newest.slice(0, 3).join(', ')}, …`;
}
