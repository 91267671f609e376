/** What the starter sees of a resource. */
export interface ResourceView {
  readonly uid: string;
  readonly generation: number;
  readonly deleting: boolean;
  /** Whether our finalizer is on it. */
  readonly finalizer: boolean;
  /** Whether condition Finalizing is shown: the workflow knows of the deletion. */
  readonly finalizing: boolean;
  /** Values of the annotations by which people ask for something. */
  readonly commands: Readonly<Record<string, string>>;
  /** Value of the annotation that asks for a full pass; empty when absent. */
  readonly trigger: string;
  readonly acknowledgedGeneration: number;
  readonly acknowledgedTrigger: string;
}

export type Announcement = 'changed' | 'deleted' | 'nudge' | 'none';

/**
 * What to tell the workflow about a resource. Level-triggered: it depends on the present state only, so a lost message
 * is sent again with the next look, and state that was acknowledged is never announced again.
 */
export function announcementFor(view: ResourceView): Announcement {
  if (view.deleting) return view.finalizer && !view.finalizing ? 'deleted' : 'none';
  if (view.generation !== view.acknowledgedGeneration) return 'changed';
  return view.trigger === view.acknowledgedTrigger ? 'none' : 'nudge';
}

/**
 * The reason of a forced cleanup that an annotation asks for, written `<resource uid>: <reason>`; undefined when there
 * is none, or when it names another resource.
 */
export function forceCleanupReason(annotation: string | undefined, uid: string): string | undefined {
  const prefix = `${uid}:`;
  if (annotation === undefined || !annotation.startsWith(prefix)) return undefined;
  return annotation.slice(prefix.length).trim();
}
