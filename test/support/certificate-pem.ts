function pem(label: string, lines: readonly string[]): string {
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** A self-signed certificate for `CN=test`, valid until 2126; nothing trusts it. */
export const certificatePem = pem('CERTIFICATE', [
  'MIIBdjCCARugAwIBAgIUfYN07eSAyOuQNtuRA2fHuJffWLAwCgYIKoZIzj0EAwIw',
  'DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMzAwNjIxMzVaGA8yMTI2MTEwNjA2MjEz',
  'NVowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKjN',
  'Kw8LvB+50MY1qqBWsmFtjx6dCIioRmaoqKO+b9ue0nX9fgmpJIJdi6c+Wsd/ifTu',
  '+yuiHOt4movzBI40by6jUzBRMB0GA1UdDgQWBBRgaXcmtA2EZF7Ig6K9mDZSESb6',
  '8DAfBgNVHSMEGDAWgBRgaXcmtA2EZF7Ig6K9mDZSESb68DAPBgNVHRMBAf8EBTAD',
  'AQH/MAoGCCqGSM49BAMCA0kAMEYCIQDARruFdlJJ8oqZBJtnVntK+9SBI5y4Ep9H',
  'T9YLOyhR7gIhALYAVrd+6RIBHSVOIm4tVfPgg22uzFSd2VOiXkgTt8vN',
]);

/** Its private key. */
export const certificateKeyPem = pem('PRIVATE KEY', [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFUIaCcSwo7BF+C1k',
  'YV6wum/h0ujsLGgdotsubLGFXZuhRANCAASozSsPC7wfudDGNaqgVrJhbY8enQiI',
  'qEZmqKijvm/bntJ1/X4JqSSCXYunPlrHf4n07vsrohzreJqL8wSONG8u',
]);
