const maxNames = 30;
const maxBytes = 1_100;
const maxNameLength = 100;

/** The first names that fit into a result in history, beside counts of the others: at most 30 and 1,100 bytes. */
export function boundedNames(names: readonly string[]): readonly string[] {
  const bounded: string[] = [];
  let bytes = 0;
  for (const name of names) {
    const shown = name.slice(0, maxNameLength);
    bytes += new TextEncoder().encode(JSON.stringify(shown)).length + 1;
    if (bytes > maxBytes || bounded.length === maxNames) return bounded;
    bounded.push(shown);
  }
  return bounded;
}
