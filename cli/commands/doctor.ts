import { Command } from 'commander';

import { declareReleaseOptions, declareTargetOptions } from '../connection-options.ts';
import type { Finding } from '../doctor/finding.ts';
import type { ExitCode } from '../exit-codes.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { formatDocument } from '../output/documents.ts';
import { withProgress } from '../output/progress.ts';
import { formatTable } from '../output/table.ts';
import type { Session } from '../session.ts';

interface DoctorOptions extends WithOutput {
  readonly fix?: boolean;
}

export function declareDoctor(invocation: Invocation): Command {
  const command = new Command('doctor')
    .description(
      'Check Temporal, hub, CRDs, rights, provider file, plugins, releases and every ClusterProfile, and say what to ' +
        'fix. Reads only, unless --fix is given.',
    )
    .option('--fix', 'register missing search attributes in Temporal')
    .addOption(outputOption())
    .action((options: DoctorOptions, self: Command) =>
      invocation.run(self, (session) => doctor(session, options)),
    );
  return withExamples(
    declareReleaseOptions(declareTargetOptions(command)),
    'knative-fleet doctor',
    'knative-fleet doctor --fix --clusterprofile-provider-file providers.json',
    'knative-fleet doctor -o json | jq \'.items[] | select(.state == "problem")\'',
  );
}

async function doctor(session: Session, options: DoctorOptions): Promise<ExitCode> {
  const items = await withProgress(session.terminal, 'checking', () => findings(session, options));
  const count = (state: Finding['state']): number => items.filter((item) => item.state === state).length;
  const problems = count('problem');
  session.terminal.print(
    formatDocument(options.output, { kind: 'Diagnosis', problems, items }) ??
      [table(items), ...fixes(items), summary(problems, count('warning'), items.length)].join('\n'),
  );
  return problems === 0 ? exitCodes.done : exitCodes.found;
}

async function findings(session: Session, options: DoctorOptions): Promise<readonly Finding[]> {
  const [{ checkTemporal }, { checkHub }, { checkAccess }, { checkProfiles }, { checkReleases }] =
    await Promise.all([
      import('../doctor/check-temporal.ts'),
      import('../doctor/check-hub.ts'),
      import('../doctor/check-access.ts'),
      import('../doctor/check-profiles.ts'),
      import('../doctor/check-releases.ts'),
    ]);
  const [temporal, hub, access, releases] = await Promise.all([
    checkTemporal(session, options.fix === true),
    checkHub(session),
    checkAccess(session),
    checkReleases(session),
  ]);
  const reachable = hub.some(({ check, state }) => check === 'hub.connection' && state === 'ok');
  const profiles = reachable ? await checkProfiles(session, access.config) : [];
  return [...temporal, ...hub, ...access.findings, ...releases, ...profiles];
}

const shown: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok',
  fixed: 'fixed',
  warning: 'warning',
  problem: 'PROBLEM',
  skipped: 'skipped',
};

function table(items: readonly Finding[]): string {
  const columns = [
    { heading: 'STATE', value: (item: Finding) => shown[item.state] },
    { heading: 'CHECK', value: (item: Finding) => item.check },
    { heading: 'OBJECT', value: (item: Finding) => item.object },
    { heading: 'FOUND', value: (item: Finding) => item.what },
  ];
  return formatTable(columns, items);
}

function fixes(items: readonly Finding[]): readonly string[] {
  const found = items.filter((item) => item.fix !== null);
  if (found.length === 0) return [''];
  return ['', 'What to do:', ...found.map((item) => `- ${item.check} ${item.object}: ${item.fix ?? ''}`), ''];
}

function summary(problems: number, warnings: number, checks: number): string {
  return `${String(checks)} checks, ${String(problems)} problems, ${String(warnings)} warnings`;
}
