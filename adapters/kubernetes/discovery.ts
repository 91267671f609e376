import { OperatorError } from '../../domain/errors.ts';
import { isRecord, listAt, stringAt } from '../../domain/manifests/object.ts';

/** One resource type as the server offers it. */
export interface ApiResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The version that the server prefers for the group. */
  readonly preferred: boolean;
}

/** The answer to a discovery request; `unchanged` for 304. */
export type DiscoveryAnswer =
  | { readonly type: 'unchanged' }
  | { readonly type: 'changed'; readonly etag: string | undefined; readonly body: unknown };

export type FetchDiscovery = (path: string, etag: string | undefined) => Promise<DiscoveryAnswer>;

/** Kind to resource, asked once for each cluster and again only on a miss or after `invalidate`. */
export interface Discovery {
  /** Throws KindUnavailable when the server does not serve the kind now. */
  resource(apiVersion: string, kind: string): Promise<ApiResource>;
  all(): Promise<readonly ApiResource[]>;
  invalidate(): void;
}

/** A miss within this time of the last answer is believed without asking again. */
const missCacheMs = 250;

export function createDiscovery(fetch: FetchDiscovery, server: string): Discovery {
  const parts = { core: createPart(fetch, '/api'), groups: createPart(fetch, '/apis') };
  let loading: Promise<void> | undefined;
  let loadedAt = -Infinity;
  let stale = true;

  const load = async (): Promise<void> => {
    loading ??= Promise.all([parts.core.load(), parts.groups.load()])
      .then(() => {
        loadedAt = performance.now();
        stale = false;
      })
      .finally(() => {
        loading = undefined;
      });
    await loading;
  };

  const find = (apiVersion: string, kind: string): ApiResource | undefined =>
    (apiVersion.includes('/') ? parts.groups : parts.core).find(apiVersion, kind);

  return {
    async resource(apiVersion, kind) {
      const known = find(apiVersion, kind);
      if (known !== undefined) return known;
      if (stale || performance.now() - loadedAt > missCacheMs) await load();
      const found = find(apiVersion, kind);
      if (found !== undefined) return found;
      throw new OperatorError(
        'KindUnavailable',
        `no matches for kind "${kind}" in version "${apiVersion}" on ${server}`,
        { details: { apiVersion, kind } },
      );
    },
    async all() {
      await load();
      return [...parts.core.resources(), ...parts.groups.resources()];
    },
    invalidate() {
      stale = true;
    },
  };
}

interface Part {
  load(): Promise<void>;
  find(apiVersion: string, kind: string): ApiResource | undefined;
  resources(): readonly ApiResource[];
}

function createPart(fetch: FetchDiscovery, path: string): Part {
  let etag: string | undefined;
  let resources: readonly ApiResource[] = [];
  let index = new Map<string, ApiResource>();
  return {
    async load() {
      const answer = await fetch(path, etag);
      if (answer.type === 'unchanged') return;
      etag = answer.etag;
      resources = parseAggregated(answer.body);
      index = new Map(resources.map((resource) => [`${resource.apiVersion}/${resource.kind}`, resource]));
    },
    find: (apiVersion, kind) => index.get(`${apiVersion}/${kind}`),
    resources: () => resources,
  };
}

/** Reads an APIGroupDiscoveryList (apidiscovery.k8s.io/v2, served since Kubernetes 1.30). */
function parseAggregated(body: unknown): readonly ApiResource[] {
  if (stringAt(body, 'kind') !== 'APIGroupDiscoveryList') {
    throw new OperatorError(
      'RemoteClientCreationFailed',
      'the server does not offer aggregated discovery; Kubernetes 1.30 or newer is needed',
    );
  }
  return listAt(body, 'items').flatMap((group) => {
    const name = stringAt(group, 'metadata', 'name') ?? '';
    return listAt(group, 'versions').flatMap((version, position) => {
      const label = stringAt(version, 'version') ?? '';
      const apiVersion = name === '' ? label : `${name}/${label}`;
      return listAt(version, 'resources').flatMap((resource) =>
        parseResource(resource, { apiVersion, preferred: position === 0 }),
      );
    });
  });
}

function parseResource(
  resource: unknown,
  version: { apiVersion: string; preferred: boolean },
): readonly ApiResource[] {
  const kind = stringAt(resource, 'responseKind', 'kind');
  const plural = stringAt(resource, 'resource');
  if (kind === undefined || plural === undefined || !isRecord(resource)) return [];
  const verbs = listAt(resource, 'verbs').filter((verb) => typeof verb === 'string');
  return [{ ...version, kind, plural, namespaced: resource['scope'] === 'Namespaced', verbs }];
}
