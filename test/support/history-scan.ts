import { isRecord } from '../../domain/manifests/object.ts';

/** What must never be in a history, whatever field it is in. */
const forbidden: readonly (readonly [string, RegExp])[] = [
  ['a PEM block', /-----BEGIN [A-Z ]+-----/],
  ['a base64 PEM block', /LS0tLS1CRUdJTi/],
  ['a JSON web token', /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/],
  ['a bearer token', /\bbearer [\w.~+/-]{8,}/i],
  [
    'a password or token',
    /"(token|password|client-key-data|id-token|access_token|clientKeyData)":\s*"[^"]+"/i,
  ],
  // As a key with a value: messages name the fields that people have to correct.
  ['a kubeconfig', /current-context"?:|certificate-authority-data"?:\s*"?[\w+/]|"kind":\s*"Config"/],
];

const maxArguments = 1_024;
const maxResult = 2_048;

/** Limits in bytes of what one event may carry, by the field that carries it. */
const limits: Readonly<Record<string, readonly [number, string]>> = {
  'activityTaskScheduledEventAttributes.input': [maxArguments, 'arguments'],
  'workflowExecutionSignaledEventAttributes.input': [maxArguments, 'arguments'],
  'workflowExecutionUpdateAcceptedEventAttributes.acceptedRequest': [maxArguments, 'arguments'],
  'activityTaskCompletedEventAttributes.result': [maxResult, 'a result'],
};

interface Text {
  readonly path: string;
  readonly text: string;
}

/**
 * Every violation of the history rules in one history, as the client returns it or as its JSON form: credentials,
 * kubeconfigs and manifests anywhere, arguments over 1 kB, results over 2 kB. `secrets` are known values to look for.
 */
export function scanHistory(history: unknown, secrets: readonly string[] = []): string[] {
  const events = isRecord(history) && Array.isArray(history['events']) ? history['events'] : [];
  return events.flatMap((event: unknown, index) =>
    scanEvent(event, secrets).map((violation) => `event ${String(index + 1)}: ${violation}`),
  );
}

function scanEvent(event: unknown, secrets: readonly string[]): string[] {
  const texts = textsOf(event, '');
  return [
    ...texts.flatMap(({ path, text }) =>
      contentViolations(text, secrets).map((what) => `${what} at ${path}`),
    ),
    ...sizeViolations(texts),
  ];
}

function contentViolations(text: string, secrets: readonly string[]): string[] {
  return [
    ...forbidden.filter(([, pattern]) => pattern.test(text)).map(([what]) => what),
    ...secrets.filter((secret) => text.includes(secret)).map(() => 'a known secret'),
    ...(holdsManifest(text) ? ['a manifest'] : []),
  ];
}

/** An object with apiVersion and kind and a body; a reference by apiVersion, kind and name is none. */
function holdsManifest(text: string): boolean {
  if (/^apiVersion: .+\n(.*\n)*kind: /m.test(text)) return true;
  try {
    return isManifestInside(JSON.parse(text));
  } catch {
    return false;
  }
}

const bodies = ['spec', 'data', 'stringData', 'rules', 'webhooks', 'subjects', 'metadata'];

function isManifestInside(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isManifestInside);
  if (!isRecord(value))
    return typeof value === 'string' && value.includes('apiVersion') && holdsManifest(value);
  if ('apiVersion' in value && 'kind' in value && bodies.some((field) => field in value)) return true;
  return Object.values(value).some(isManifestInside);
}

function sizeViolations(texts: readonly Text[]): string[] {
  return Object.entries(limits).flatMap(([field, [limit, what]]) => {
    const parts = texts.filter(({ path }) => path.startsWith(`${field}.`) && path.endsWith('.data'));
    const bytes = parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    return bytes > limit ? [`${what} of ${String(bytes)} bytes at ${field}`] : [];
  });
}

function textsOf(value: unknown, path: string): Text[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (value instanceof Uint8Array) return [{ path, text: Buffer.from(value).toString('utf8') }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsOf(item, join(path, String(index))));
  if (typeof value !== 'object' || value === null) return [];
  const payload = 'metadata' in value && 'data' in value;
  return Object.entries(value).flatMap(([field, item]: [string, unknown]) =>
    payload && field === 'data' && typeof item === 'string'
      ? [{ path: join(path, field), text: Buffer.from(item, 'base64').toString('utf8') }]
      : textsOf(item, join(path, field)),
  );
}

function join(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}
