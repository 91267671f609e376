import { X509Certificate } from 'node:crypto';

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The certificates of a PEM text, in order. Throws Error when there is none or one cannot be read. */
export function readCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(block);
  if (blocks === null) throw new Error('it contains no PEM certificate');
  return blocks.map((text, index) => {
    try {
      return new X509Certificate(text);
    } catch {
      throw new Error(`certificate ${String(index + 1)} in it cannot be read`);
    }
  });
}
