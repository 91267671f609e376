import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cacheFolder } from '../cache/cache-folder.ts';
import type { Fleet } from '../control-plane/start-fleet.ts';
import type { TemporalServer } from '../temporal/start-temporal.ts';

export interface DemoParts {
  readonly temporal: TemporalServer;
  readonly fleet: Fleet;
  readonly providerFile: string;
  readonly releases: string;
}

const cli = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** To be sourced by a shell: it then talks to the demo that was started last. */
export const environmentFile = join(cacheFolder(), 'demo.env');

/** Writes the settings of the demo, and puts kubectl, temporal and knative-fleet where it finds them. */
export async function writeEnvironment(parts: DemoParts): Promise<void> {
  const { temporal, fleet } = parts;
  const bin = join(cacheFolder(), 'demo-bin');
  await rm(bin, { recursive: true, force: true });
  await mkdir(bin, { recursive: true });
  await symlink(fleet.hub.kubectlPath, join(bin, 'kubectl'));
  await symlink(temporal.command, join(bin, 'temporal'));
  const command = join(bin, 'knative-fleet');
  await writeFile(
    command,
    `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${cli}' "$@"\n`,
  );
  await chmod(command, 0o755);
  const settings: Readonly<Record<string, string>> = {
    KUBECONFIG: fleet.hub.kubeconfigPath,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_UI: temporal.uiAddress ?? '',
    CLUSTERPROFILE_PROVIDER_FILE: parts.providerFile,
    RELEASES_DIRECTORY: parts.releases,
    ...Object.fromEntries(
      fleet.spokes.flatMap(({ name, kubeconfigPath, pid }) => {
        const variable = name.toUpperCase().replaceAll('-', '_');
        return [
          [variable, kubeconfigPath],
          [`${variable}_PID`, String(pid)],
        ];
      }),
    ),
  };
  const lines = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'`);
  await mkdir(dirname(environmentFile), { recursive: true });
  await writeFile(environmentFile, [...lines, `export PATH='${bin}':"$PATH"`, ''].join('\n'), {
    mode: 0o600,
  });
}
