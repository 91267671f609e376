/** The search attributes that component workflows write, with their types as the server names them. */
export const searchAttributes: Readonly<Record<string, string>> = {
  KnSpoke: 'Keyword',
  KnPhase: 'Keyword',
  KnReason: 'Keyword',
  KnVersion: 'Keyword',
  KnReady: 'Bool',
  KnAbandoned: 'Bool',
  KnGeneration: 'Int',
  KnBlockedSince: 'Datetime',
};
