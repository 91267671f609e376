import type { Cluster } from '../control-plane/cluster.ts';
import { kubectl } from '../control-plane/kubectl.ts';

const ownerAnnotation = 'fleet.knative.dev/owner';

/** Kinds that can be listed on a cluster, CRDs left out: they and their objects stay by design. */
async function listableKinds(cluster: Cluster): Promise<readonly string[]> {
  const kinds = await kubectl(cluster, ['api-resources', '--verbs=list', '-o', 'name']);
  return kinds
    .split('\n')
    .filter((kind) => kind !== '' && !/^(events|customresourcedefinitions)\b/.test(kind));
}

/** Objects on a cluster that carry our mark or a Knative name label, or are our claim or inventory. */
export async function remainsOn(cluster: Cluster): Promise<readonly string[]> {
  const kinds = (await listableKinds(cluster)).join(',');
  const text = await kubectl(cluster, ['get', kinds, '-A', '-o', 'json', '--ignore-not-found']);
  const { items = [] } = JSON.parse(text === '' ? '{}' : text) as { items?: readonly Found[] };
  return items
    .filter(isOurs)
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
}

interface Found {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

function isOurs({ metadata }: Found): boolean {
  const name = metadata.labels?.['app.kubernetes.io/name'] ?? '';
  return (
    metadata.annotations?.[ownerAnnotation] !== undefined ||
    name.startsWith('knative-') ||
    metadata.name.startsWith('knative-fleet-') ||
    metadata.name.startsWith('knative-serving') ||
    metadata.name.startsWith('knative-eventing')
  );
}
