const forbidden: readonly (readonly [string, RegExp])[] = [
  ['a PEM block', /-----BEGIN [A-Z ]+-----/],
  ['a base64 PEM block', /LS0tLS1CRUdJTi/],
  ['a JSON web token', /eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
  ['a bearer token', /[Bb]earer [A-Za-z0-9._~+/-]{8,}/],
  ['a kubeconfig', /current-context|certificate-authority-data/],
  ['a manifest', /"apiVersion":"[^"]+","kind":"(?!Knative)[A-Z]/],
];

const maxArguments = 1_024;
const maxResult = 2_048;

/** What must never be in one history event; empty when all is well. Payloads are decoded from their bytes. */
export function historyViolations(event: unknown, secrets: readonly string[]): readonly string[] {
  const payloads: { path: string; text: string }[] = [];
  collect(event, '', payloads);
  return payloads.flatMap(({ path, text }) => [
    ...forbidden.flatMap(([name, pattern]) => (pattern.test(text) ? [`${name} at ${path}`] : [])),
    ...secrets.flatMap((secret) => (text.includes(secret) ? [`a secret at ${path}`] : [])),
    ...tooLarge(path, text),
  ]);
}

function tooLarge(path: string, text: string): readonly string[] {
  if (/activityTaskScheduled.*input/.test(path) && text.length > maxArguments) {
    return [`${String(text.length)} bytes of arguments at ${path}`];
  }
  if (/activityTaskCompleted.*result/.test(path) && text.length > maxResult) {
    return [`${String(text.length)} bytes of result at ${path}`];
  }
  return [];
}

function collect(value: unknown, path: string, found: { path: string; text: string }[]): void {
  if (typeof value === 'string') found.push({ path, text: value });
  else if (value instanceof Uint8Array) found.push({ path, text: Buffer.from(value).toString('utf8') });
  else if (Array.isArray(value))
    value.forEach((item, index) => collect(item, `${path}[${String(index)}]`, found));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) collect(item, `${path}.${key}`, found);
  }
}
