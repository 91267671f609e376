import { describe, expect, test } from 'vitest';

import { initialState } from '../../../domain/lifecycle/component-state.ts';
import { fairnessKey } from '../../../domain/lifecycle/fairness-key.ts';
import { target } from '../../support/lifecycle-states.ts';

const ref = { kind: 'KnativeServing', namespace: 'team', name: 'serving' } as const;

function keyFor(profile: string | undefined): string {
  const state = initialState('uid-1', 1);
  return fairnessKey(ref, profile === undefined ? state : { ...state, target: { ...target, profile } });
}

describe('fairnessKey', () => {
  test('is the spoke, shared by all components on it', () => {
    expect(keyFor('fleet/edge-1')).toBe('fleet/edge-1');
  });

  test('is the component while its spoke is not known, and for the hub', () => {
    expect(keyFor(undefined)).toBe('KnativeServing/team/serving');
    expect(keyFor('local')).toBe('KnativeServing/team/serving');
  });

  test('has at most 64 bytes and still tells long names apart', () => {
    const long = (end: string): string => keyFor(`fleet/${'a'.repeat(80)}${end}`);
    expect(long('1').length).toBeLessThanOrEqual(64);
    expect(long('1')).not.toBe(long('2'));
    expect(long('1')).toBe(long('1'));
    expect(keyFor(`f/${'a'.repeat(62)}`)).toHaveLength(64);
    expect(keyFor(`f/${'a'.repeat(62)}`)).not.toContain('~');
  });
});
