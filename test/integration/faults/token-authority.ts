import { randomUUID } from 'node:crypto';

import type { FaultySpoke } from './faulty-spoke.ts';

/** Decides in front of a spoke which tokens are valid, to the millisecond. */
export interface TokenAuthority {
  /** What the Secret has to hold of a new token that is valid from now on; Infinity does not say when it ends. */
  issue(lifeMs: number): Readonly<Record<string, string>>;
  /** All but the newest are refused from now on. */
  revokeOld(): void;
  issued(): number;
}

/** `real` is the token that the spoke itself takes. */
export function createTokenAuthority(http: FaultySpoke['http'], real: string): TokenAuthority {
  const validUntil = new Map<string, number>();
  let issued = 0;
  http.exchangeTokens((token) => (Date.now() < (validUntil.get(token) ?? 0) ? real : undefined));
  return {
    issue(lifetime) {
      const token = randomUUID();
      const end = Date.now() + lifetime;
      validUntil.set(token, end);
      issued += 1;
      return Number.isFinite(end) ? { token, expirationTimestamp: new Date(end).toISOString() } : { token };
    },
    revokeOld() {
      for (const token of [...validUntil.keys()].slice(0, -1)) validUntil.delete(token);
    },
    issued: () => issued,
  };
}
