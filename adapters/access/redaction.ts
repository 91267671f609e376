import { createHash, timingSafeEqual } from 'node:crypto';

const mark = '[redacted]';

/** Shorter secrets would blank out ordinary words. */
const minSecretLength = 6;

const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g,
  /^\s*[A-Za-z0-9+/=]{40,}\s*$/gm,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  /[A-Za-z0-9+_-]{64,}={0,2}/g,
  /(?<=\b(?:bearer|basic)\s+)[^\s"',;]+/gi,
  /(?<=\b\w*(?:token|secret|password|passwd|(?:api|access|private)[-_]?key|credentials?)["']?\s*[=:]\s*["']?)[^\s"',;}]+/gi,
  /(?<=:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
];

/**
 * Text that may be shown: the given secrets (also in base64) and whatever has the shape of a token, a PEM block or a
 * password in a URL are replaced. Every text that comes out of a plugin passes through here before it is cut.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let result = text;
  for (const secret of secretForms(secrets)) result = result.replaceAll(secret, mark);
  for (const shape of shapes) result = result.replace(shape, mark);
  return result;
}

/** Longest first, so that a secret that contains another one leaves no remainder. */
function secretForms(secrets: readonly string[]): readonly string[] {
  return secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')])
    .toSorted((a, b) => b.length - a.length);
}

const secretName = /token|secret|passw|key|credential|auth/i;

/** The values of environment variables whose names say that they are secret. */
export function secretValues(
  env: readonly { readonly name: string; readonly value: string }[],
): readonly string[] {
  return env.filter((variable) => secretName.test(variable.name)).map((variable) => variable.value);
}

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function sameSecret(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
