import { componentCleanup } from './component-cleanup.ts';
import type { CleanupInput, ComponentInput } from './messages.ts';
import type { ObserverInput } from './spoke-observer.ts';
import { spokeObserver } from './spoke-observer.ts';
import { componentLifecycle } from './component-lifecycle.ts';

/** The workflow types; their names are on the wire. One body, two names, so that lists can be filtered by kind. */
export async function KnativeServing(input: ComponentInput): Promise<string> {
  return componentLifecycle(input);
}

export async function KnativeEventing(input: ComponentInput): Promise<string> {
  return componentLifecycle(input);
}

/** One for each target in use; it holds the activity that looks after everything there. */
export async function SpokeObserver(input: ObserverInput): Promise<string> {
  return spokeObserver(input);
}

/** A removal that goes on after its resource was let go. */
export async function ComponentCleanup(input: CleanupInput): Promise<string> {
  return componentCleanup(input);
}
