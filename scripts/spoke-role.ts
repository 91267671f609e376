import { parseArgs } from 'node:util';

import { defaultInstallNamespaces } from '../domain/rights/spoke-rules.ts';
import { releasedObjects } from './rights/released-objects.ts';
import { spokeRoleText } from './rights/spoke-role-text.ts';

const usage = `Prints the roles that the operator needs on a spoke, made from releases.

  node scripts/spoke-role.ts --releases <directory> [--minor 1.22]... [--install-namespace <name>]...

  --releases           release directory: <component>/<version>/*.yaml
  --minor              only this minor version, may be repeated; default: all in the directory
  --install-namespace  namespace that components are installed into, may be repeated;
                       default: ${defaultInstallNamespaces.join(' and ')}
`;

const { values } = parseArgs({
  options: {
    releases: { type: 'string' },
    minor: { type: 'string', multiple: true, default: [] },
    'install-namespace': { type: 'string', multiple: true, default: [...defaultInstallNamespaces] },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || values.releases === undefined) {
  process.stdout.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const { releases, minor: minors } = values;
  const installNamespaces = values['install-namespace'];
  const objects = await releasedObjects({ releases, minors });
  const what = minors.length === 0 ? 'all versions' : minors.join(', ');
  const heading = [
    `What the operator needs on a spoke: ${what}; namespaces ${installNamespaces.join(', ')}.`,
  ];
  process.stdout.write(spokeRoleText(heading, { objects, installNamespaces }));
}
