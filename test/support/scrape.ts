/** One sample of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a process serves under a path, with its status. */
export async function ask(address: string, path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://${address}${path}`, { signal: AbortSignal.timeout(10_000) });
  return { status: answer.status, text: await answer.text() };
}

export async function scrape(address: string): Promise<readonly Sample[]> {
  return parseSamples((await ask(address, '/metrics')).text);
}

export function parseSamples(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: parseLabels(labels), value: Number(value) }];
  });
}

function parseLabels(text: string): Record<string, string> {
  const pairs = text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, value]));
}

/** The sum of all samples of a name that carry these labels; undefined when there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
