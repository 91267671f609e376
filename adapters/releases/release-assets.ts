import type { BundleRef, ReleaseIndex } from '../../domain/manifests/releases.ts';

/** One published file of a bundle. */
export interface ReleaseAsset {
  /** Name in the release directory; files of a bundle are read in the order of these names. */
  readonly file: string;
  /** Path below the address of the publisher. */
  readonly path: string;
}

interface Publication {
  readonly repository: string;
  /** In the order of application. */
  readonly files: readonly string[];
  /** Directory of the release directory (a version or a minor) to the published version. */
  readonly versions: Readonly<Record<string, string>>;
}

const serving: Publication = {
  repository: 'knative/serving',
  files: ['serving-crds.yaml', 'serving-core.yaml', 'serving-hpa.yaml', 'serving-post-install-jobs.yaml'],
  versions: patches({ '1.20': 3, '1.21': 3, '1.22': 1, '1.23': 0 }),
};

const eventing: Publication = {
  repository: 'knative/eventing',
  files: [
    'eventing-crds.yaml',
    'eventing-core.yaml',
    'eventing-tls-networking.yaml',
    'in-memory-channel.yaml',
    'mt-channel-broker.yaml',
    'eventing-post-install.yaml',
  ],
  versions: patches({ '1.20': 3, '1.21': 4, '1.22': 2, '1.23': 0 }),
};

const ingresses: Readonly<Record<string, Publication>> = {
  contour: {
    repository: 'knative-extensions/net-contour',
    files: ['net-contour.yaml'],
    versions: { '1.20': '1.20.4', '1.21': '1.21.5', '1.22': '1.22.2', '1.23': '1.23.0' },
  },
  'gateway-api': {
    repository: 'knative-extensions/net-gateway-api',
    files: ['net-gateway-api.yaml'],
    versions: { '1.20': '1.20.1', '1.21': '1.21.1', '1.22': '1.22.1', '1.23': '1.23.0' },
  },
  istio: {
    repository: 'knative-extensions/net-istio',
    files: ['net-istio.yaml'],
    versions: { '1.20': '1.20.4', '1.21': '1.21.4', '1.22': '1.22.1', '1.23': '1.23.0' },
  },
  kourier: {
    repository: 'knative-extensions/net-kourier',
    files: ['kourier.yaml'],
    versions: { '1.20': '1.20.1', '1.21': '1.21.1', '1.22': '1.22.1', '1.23': '1.23.0' },
  },
};

const sourceVersions = { '1.20': '1.20.0', '1.21': '1.21.1', '1.22': '1.22.1', '1.23': '1.23.0' };

const sources: Readonly<Record<string, Publication>> = {
  ceph: { repository: 'knative-extensions/eventing-ceph', files: ['ceph.yaml'], versions: sourceVersions },
  github: {
    repository: 'knative-extensions/eventing-github',
    files: ['github.yaml'],
    versions: sourceVersions,
  },
  gitlab: {
    repository: 'knative-extensions/eventing-gitlab',
    files: ['gitlab.yaml'],
    versions: sourceVersions,
  },
  kafka: {
    repository: 'knative-extensions/eventing-kafka-broker',
    files: [
      'eventing-kafka-controller.yaml',
      'eventing-kafka-post-install.yaml',
      'eventing-kafka-source.yaml',
    ],
    versions: { '1.20': '1.20.3', '1.21': '1.21.5', '1.22': '1.22.3', '1.23': '1.23.0' },
  },
  rabbitmq: {
    repository: 'knative-extensions/eventing-rabbitmq',
    files: ['rabbitmq-source.yaml'],
    versions: sourceVersions,
  },
  redis: {
    repository: 'knative-extensions/eventing-redis',
    files: ['redis-source.yaml'],
    versions: sourceVersions,
  },
};

const guard: Publication = {
  repository: 'knative-extensions/security-guard',
  files: [
    'gate-account.yaml',
    'guard-service.yaml',
    'guardian-crd.yaml',
    'queue-proxy.yaml',
    'service-account.yaml',
  ],
  versions: { '0.6': '0.6.0' },
};

/** What can be downloaded. */
export const assetIndex: ReleaseIndex = {
  serving: Object.keys(serving.versions),
  eventing: Object.keys(eventing.versions),
  ingress: byMinor(ingresses),
  sources: byMinor(sources),
  guard: Object.keys(guard.versions),
};

/** The published files of a bundle; none for a bundle that is not known. */
export function assetsOf(bundle: BundleRef): readonly ReleaseAsset[] {
  switch (bundle.component) {
    case 'knative-serving':
      return assets(serving, bundle.version, { numbered: true });
    case 'knative-eventing':
      return assets(eventing, bundle.version, { numbered: true });
    case 'ingress':
      return assets(ingresses[bundle.plugin], bundle.minor);
    case 'eventing-source':
      return assets(sources[bundle.plugin], bundle.minor);
    case 'security-guard':
      return assets(guard, bundle.version, { tagPrefix: 'v' });
  }
}

function assets(
  publication: Publication | undefined,
  directory: string,
  { numbered = false, tagPrefix = 'knative-v' }: { numbered?: boolean; tagPrefix?: string } = {},
): readonly ReleaseAsset[] {
  const version = publication?.versions[directory];
  if (publication === undefined || version === undefined) return [];
  return publication.files.map((name, index) => ({
    file: numbered ? `${String(index + 1)}-${name}` : name,
    path: `${publication.repository}/releases/download/${tagPrefix}${version}/${name}`,
  }));
}

/** All patch versions of each minor, up to the given one. */
function patches(newest: Readonly<Record<string, number>>): Readonly<Record<string, string>> {
  const versions = Object.entries(newest).flatMap(([minor, last]) =>
    Array.from({ length: last + 1 }, (_, patch) => `${minor}.${String(patch)}`),
  );
  return Object.fromEntries(versions.map((version) => [version, version]));
}

function byMinor(
  publications: Readonly<Record<string, Publication>>,
): Readonly<Record<string, readonly string[]>> {
  const minors = new Set(Object.values(publications).flatMap(({ versions }) => Object.keys(versions)));
  return Object.fromEntries(
    [...minors].map((minor) => [
      minor,
      Object.keys(publications).filter((plugin) => publications[plugin]?.versions[minor] !== undefined),
    ]),
  );
}
