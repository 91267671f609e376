import { defineSearchAttributeKey } from '@temporalio/common';
import type { SearchAttributeUpdatePair } from '@temporalio/common';

import type { ComponentState, Phase } from '../domain/lifecycle/component-state.ts';

/** The search attributes of a component; they must exist on the server. Add, never rename. */
export const searchAttributeKeys = {
  spoke: defineSearchAttributeKey('KnSpoke', 'KEYWORD'),
  phase: defineSearchAttributeKey('KnPhase', 'KEYWORD'),
  reason: defineSearchAttributeKey('KnReason', 'KEYWORD'),
  version: defineSearchAttributeKey('KnVersion', 'KEYWORD'),
  ready: defineSearchAttributeKey('KnReady', 'BOOL'),
  abandoned: defineSearchAttributeKey('KnAbandoned', 'BOOL'),
  generation: defineSearchAttributeKey('KnGeneration', 'INT'),
  blockedSince: defineSearchAttributeKey('KnBlockedSince', 'DATETIME'),
} as const;

/** Name to type, as the server names types: `Keyword`, `Int`. */
export const searchAttributeTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(searchAttributeKeys).map(({ name, type }) => [
    name,
    `${type[0] ?? ''}${type.slice(1).toLowerCase()}`,
  ]),
);

/** What a list of workflows shows and filters by. */
export function searchAttributesOf(state: ComponentState, phase: Phase): SearchAttributeUpdatePair[] {
  const { failure } = state;
  return [
    { key: searchAttributeKeys.spoke, value: state.target?.profile ?? null },
    { key: searchAttributeKeys.phase, value: phase },
    { key: searchAttributeKeys.reason, value: failure?.kind ?? null },
    { key: searchAttributeKeys.version, value: state.plan?.version ?? null },
    { key: searchAttributeKeys.ready, value: phase === 'Ready' },
    { key: searchAttributeKeys.abandoned, value: state.finalization?.outcome === 'abandoned' },
    { key: searchAttributeKeys.generation, value: state.generation },
    { key: searchAttributeKeys.blockedSince, value: failure === undefined ? null : new Date(failure.since) },
  ];
}
