import type { AccessConfig } from '../../adapters/access/access-config.ts';
import { runExecPlugin } from '../../adapters/access/exec-plugin.ts';
import { requireHealthy, resolveProfileAccess } from '../../adapters/access/profile-access.ts';
import type { ProfileAccess } from '../../adapters/access/profile-access.ts';
import type { TargetAccess } from '../../adapters/access/target-access.ts';
import { createClusterProfiles } from '../../adapters/hub/cluster-profiles.ts';
import { parseClusterProfile } from '../../domain/api/cluster-profile.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import { failureReasons } from '../../domain/status/reasons.ts';
import type { Session } from '../session.ts';
import { describeMissing, missingRights, spokeRights } from './access-reviews.ts';
import type { Finding } from './finding.ts';
import { ok, problem, skipped, warning } from './finding.ts';

interface ProfileCheck {
  readonly findings: readonly Finding[];
  /** Identity of the cluster, when it answered. */
  readonly clusterUID?: string;
  readonly name: string;
}

/** Each ClusterProfile in the order of an access: health, provider, credentials, address, rights; up to the first fault. */
export async function checkProfiles(
  session: Session,
  config: AccessConfig | undefined,
): Promise<readonly Finding[]> {
  const subject = { check: 'clusterprofile', object: 'all' };
  if (config === undefined) return [skipped(subject, 'there is no usable provider file')];
  let objects: readonly ManifestObject[];
  try {
    objects = await createClusterProfiles(await session.hub()).list();
  } catch (error) {
    return [problem(subject, messageOf(error), failureReasons.ClusterProfileUnavailable.advice)];
  }
  const checks = await Promise.all(objects.map((object) => checkProfile(session, object, config)));
  return [...checks.flatMap(({ findings }) => findings), ...sharedClusters(checks)];
}

async function checkProfile(
  session: Session,
  object: ManifestObject,
  config: AccessConfig,
): Promise<ProfileCheck> {
  const name = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
  const passed: Finding[] = [];
  let step: Step = 'health';
  const pass = (what: string): void =>
    void passed.push(ok({ check: `clusterprofile.${step}`, object: name }, what));
  try {
    const profile = parseClusterProfile(object);
    requireHealthy(profile);
    pass('is healthy');
    step = 'provider';
    const access = resolveProfileAccess(profile, config);
    pass(access.provider);
    step = 'credentials';
    await runExecPlugin(access.plugin, { environment: session.pluginEnvironment });
    pass('the plugin gives credentials');
    step = 'reachability';
    const target = await (await session.spokes()).connect(profile.metadata);
    pass(`${target.server} answers, Kubernetes ${target.kubernetesVersion}, UID ${target.clusterUID}`);
    step = 'rights';
    const rights = await checkRights(name, target);
    return { name, clusterUID: target.clusterUID, findings: [...passed, ...warnings(name, access), rights] };
  } catch (error) {
    if (isOperatorError(error, 'SpokeForbidden')) step = 'rights';
    const fault = problem({ check: `clusterprofile.${step}`, object: name }, messageOf(error), advice[step]);
    return { name, findings: [...passed, fault] };
  }
}

type Step = 'health' | 'provider' | 'credentials' | 'reachability' | 'rights';

const advice: Readonly<Record<Step, string>> = {
  health: failureReasons.ClusterProfileNotReady.advice,
  provider: 'make the provider names in the status of the ClusterProfile and in the provider file agree',
  credentials: 'run the plugin by hand with the same input, see docs/credentials.md',
  reachability:
    'check address and certificate-authority-data in the ClusterProfile, and the path from here to there',
  rights: failureReasons.SpokeForbidden.advice,
};

function warnings(name: string, access: ProfileAccess): readonly Finding[] {
  return access.warnings.map((what) =>
    warning(
      { check: 'clusterprofile.provider', object: name },
      what,
      'have its cluster manager use accessProviders',
    ),
  );
}

async function checkRights(name: string, target: TargetAccess): Promise<Finding> {
  const subject = { check: 'clusterprofile.rights', object: name };
  const missing = await missingRights(target.client, spokeRights);
  if (missing.length === 0) return ok(subject, 'the account has what every installation needs');
  return problem(subject, `the account ${describeMissing(missing)}`, advice.rights);
}

/** Two profiles that lead to one cluster are allowed, but only one component of a kind can be there. */
function sharedClusters(checks: readonly ProfileCheck[]): readonly Finding[] {
  const byUid = Map.groupBy(
    checks.filter((check) => check.clusterUID !== undefined),
    (check) => check.clusterUID,
  );
  return [...byUid.values()]
    .filter((same) => same.length > 1)
    .map((same) =>
      warning(
        { check: 'clusterprofile.identity', object: same.map(({ name }) => name).join(', ') },
        `lead to the same cluster ${same[0]?.clusterUID ?? ''}`,
        'one component of a kind can be there: see that no two resources name them',
      ),
    );
}
