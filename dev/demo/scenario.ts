import type { Cluster } from '../control-plane/cluster.ts';
import { kubectl } from '../control-plane/kubectl.ts';
import type { Fleet } from '../control-plane/start-fleet.ts';
import { ensureNamespace } from '../operator/prepare-hub.ts';
import { until } from '../processes/until.ts';
import type { DemoReleases } from './find-releases.ts';
import type { Progress } from './progress.ts';
import { remainsOn } from './remains.ts';

export interface Scene {
  readonly fleet: Fleet;
  readonly releases: DemoReleases;
  readonly inventoryNamespace: string;
  readonly progress: Progress;
}

interface DemoResource {
  readonly plural: 'knativeserving' | 'knativeeventing';
  readonly name: string;
  readonly object: object;
}

/** The resources live in a namespace of their own on the hub; where they install is in their destination. */
const resourceNamespace = 'platform';
const waitMs = 180_000;

/** Serving with Kourier to the first spoke and Eventing to the second, at once; resolves when both are Ready. */
export async function installBoth(scene: Scene): Promise<void> {
  const { hub } = scene.fleet;
  await ensureNamespace(hub, resourceNamespace);
  const resources = resourcesOf(scene);
  for (const { object } of resources) await kubectl(hub, ['apply', '-f', '-'], JSON.stringify(object));
  scene.progress.say('applied a KnativeServing for spoke-1 and a KnativeEventing for spoke-2');
  await Promise.all(resources.map((resource) => untilReady(scene, resource)));
  scene.progress.say('both are Ready:');
  process.stdout.write(
    `\n${await kubectl(hub, ['get', 'knativeservings,knativeeventings', '-A', '-o', 'wide'])}\n`,
  );
}

/** Deletes both resources and checks that the spokes are clean; false when something is left. */
export async function removeBoth(scene: Scene): Promise<boolean> {
  const { hub, spokes } = scene.fleet;
  scene.progress.say('deleting both resources');
  await Promise.all(
    resourcesOf(scene).map(async ({ plural, name }) => {
      await kubectl(hub, [
        'delete',
        plural,
        name,
        '-n',
        resourceNamespace,
        `--timeout=${String(waitMs / 1000)}s`,
      ]);
      scene.progress.say(`${plural} ${name} is gone`);
    }),
  );
  const remains = (await Promise.all(spokes.map(describeRemains))).flat();
  for (const line of remains) scene.progress.say(`left behind: ${line}`);
  if (remains.length === 0)
    scene.progress.say('the spokes are clean; CustomResourceDefinitions stay, as they should');
  return remains.length === 0;
}

async function describeRemains(spoke: Cluster): Promise<readonly string[]> {
  return (await remainsOn(spoke)).map((line) => `${spoke.name}: ${line}`);
}

function resourcesOf({ releases, inventoryNamespace }: Scene): readonly DemoResource[] {
  const destination = (name: string) => ({ clusterProfileRef: { name, namespace: inventoryNamespace } });
  const resource = (kind: string, name: string, spec: object): object => ({
    apiVersion: 'operator.knative.dev/v1beta1',
    kind,
    metadata: { name, namespace: resourceNamespace },
    spec,
  });
  const serving = {
    version: releases.serving,
    destination: destination('spoke-1'),
    ingress: { kourier: { enabled: true } },
    config: { network: { 'ingress-class': 'kourier.ingress.networking.knative.dev' } },
  };
  const eventing = { version: releases.eventing, destination: destination('spoke-2') };
  return [
    { plural: 'knativeserving', name: 'serving', object: resource('KnativeServing', 'serving', serving) },
    {
      plural: 'knativeeventing',
      name: 'eventing',
      object: resource('KnativeEventing', 'eventing', eventing),
    },
  ];
}

async function untilReady(scene: Scene, { plural, name }: DemoResource): Promise<void> {
  let shown = '';
  await until(`${plural} ${name} is Ready`, waitMs, async () => {
    const path = '{range .status.conditions[?(@.type=="Ready")]}{.status}: {.reason} {.message}{end}';
    const text = await kubectl(scene.fleet.hub, [
      'get',
      plural,
      name,
      '-n',
      resourceNamespace,
      '-o',
      `jsonpath=${path}`,
    ]);
    if (text !== shown) scene.progress.say(`${name}: Ready ${text.slice(0, 160)}`);
    shown = text;
    return text.startsWith('True') ? true : undefined;
  });
}
