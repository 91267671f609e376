/** Keeps one copy of values that many clusters have in common, so that a hundred of them need no hundred copies. */
export interface SharedValues<Value> {
  /** The first value with this key, or this one. Equal keys must stand for equal values, which nobody may change. */
  share(key: string, value: Value): Value;
}

/** Forgets everything once it holds more than `most`: values that are in use stay, and later ones are shared anew. */
export function createSharedValues<Value>(most: number): SharedValues<Value> {
  const known = new Map<string, Value>();
  return {
    share(key, value) {
      const first = known.get(key);
      if (first !== undefined) return first;
      if (known.size >= most) known.clear();
      known.set(key, value);
      return value;
    },
  };
}
