import { describe, expect, test } from 'vitest';

import { checkVersionChange } from '../../../domain/lifecycle/version-change.ts';

const check = (installed: string, target: string) => () => {
  checkVersionChange({ kind: 'KnativeEventing', installed, target });
};

describe('checkVersionChange', () => {
  test.each([
    ['', '1.23.0'],
    ['', '1.22.0-rc1'],
    ['', 'v1.22'],
    ['', '1.22'],
    ['0.23.0', '0.24.2'],
    ['0.26.0', '1.0.0'],
    ['1.0.0', '0.26.0'],
    ['1.22.1', '1.21.0'],
    ['1.22.1', '1.22.1'],
    ['v1.22.1', '1.23'],
    ['latest', '1.0.0'],
    ['1.0.0', 'latest'],
    ['0.13.0', 'latest'],
  ])('lets %s be followed by %s', (installed, target) => {
    expect(check(installed, target)).not.toThrow();
  });

  const minors = (version: string) =>
    `not supported to upgrade or downgrade across multiple MINOR versions. The installed KnativeEventing version is ${version}`;
  const majors = (version: string) =>
    `not supported to upgrade or downgrade across the MAJOR version. The installed KnativeEventing version is ${version}`;

  test.each([
    ['0.23.0', '0.25.0', minors('v0.23.0')],
    ['1.23.0', '1.21.3', minors('v1.23.0')],
    ['0.25.0', '1.0.0', majors('v0.25.0')],
    ['1.0.0', '0.25.0', majors('v1.0.0')],
    ['0.13.0', '1.0.0', majors('v0.13.0')],
    ['', '1', 'target version v1 should at least include the major and minor numbers'],
    ['', 'abc', 'target version vabc is not in a valid semantic versioning format'],
    ['', 'badVersion', 'target version vbadVersion is not in a valid semantic versioning format'],
    ['', '1.22.x', 'target version v1.22.x is not in a valid semantic versioning format'],
    ['', '', 'target version v is not in a valid semantic versioning format'],
    ['', 'Latest', 'target version vLatest is not in a valid semantic versioning format'],
    ['1', '1.22.0', 'minor number of the current version v1 should be an integer'],
    ['1.x.0', '1.22.0', 'minor number of the current version v1.x.0 should be an integer'],
  ])('refuses to let "%s" be followed by "%s"', (installed, target, message) => {
    expect(check(installed, target)).toThrow(
      expect.objectContaining({ kind: 'VersionNotEligible', message }),
    );
  });
});
