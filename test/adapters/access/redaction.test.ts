import { describe, expect, test } from 'vitest';

import { redact, sameSecret, secretValues } from '../../../adapters/access/redaction.ts';

describe('redact', () => {
  const token = 'sk-0123456789';

  test.each([
    ['a given secret', `login with ${token} failed`],
    ['a given secret in base64', `sent ${Buffer.from(token).toString('base64')} to it`],
    ['a bearer token', 'Authorization: Bearer abc.def-123'],
    ['a JWT', 'got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln from it'],
    ['an assignment', 'AWS_SECRET_ACCESS_KEY=abc.def-123 is wrong, client_secret: "abc.def-123"'],
    ['credentials in a URL', 'GET https://me:abc.def-123@proxy.example/ refused'],
    ['a PEM block', '-----BEGIN PRIVATE KEY-----\nabc.def-123\n-----END PRIVATE KEY-----'],
    ['a PEM block that has lost its end', '-----BEGIN PRIVATE KEY-----\nabc.def-123'],
  ])('removes %s', (_, text) => {
    const shown = redact(text, [token]);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toMatch(/sk-0123456789|c2stMDEyMzQ1Njc4OQ|abc\.def-123|eyJhbGci/);
  });

  test('leaves the name of a program alone that is called after secrets', () => {
    const text = 'secretreader: Secret fleet/one does not exist on the hub';
    expect(redact(text)).toBe(text);
  });

  test('leaves ordinary words alone, also when a secret is too short to be one', () => {
    const text = 'open /etc/plugins/config.json: no such file or directory';
    expect(redact(text, ['no', ''])).toBe(text);
  });
});

describe('secretValues', () => {
  test('takes the values of variables whose names say that they are secret', () => {
    const env = [
      { name: 'AWS_SECRET_ACCESS_KEY', value: 'one' },
      { name: 'REGION', value: 'eu' },
      { name: 'GITHUB_TOKEN', value: 'two' },
    ];
    expect(secretValues(env)).toEqual(['one', 'two']);
  });
});

describe('sameSecret', () => {
  test.each([
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    [undefined, undefined, true],
    [undefined, '', false],
  ])('compares %j with %j as %j', (a, b, equal) => {
    expect(sameSecret(a, b)).toBe(equal);
  });
});
