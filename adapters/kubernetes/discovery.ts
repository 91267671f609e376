import { createHash } from 'node:crypto';

import { OperatorError } from '../../domain/errors.ts';
import { createSharedValues } from '../../domain/shared-values.ts';
import { parseAggregated, parseGroupVersions, parseResourceList } from './discovery-documents.ts';
import type { ApiResource, OfferedResources } from './discovery-documents.ts';
import { untilAborted } from './until-aborted.ts';

/** The answer to a discovery request; `unchanged` for 304. */
export type DiscoveryAnswer =
  | { readonly type: 'unchanged' }
  | { readonly type: 'changed'; readonly etag: string | undefined; readonly body: unknown };

export type FetchDiscovery = (path: string, etag: string | undefined) => Promise<DiscoveryAnswer>;

/** Kind to resource, asked once for each cluster and again only on a miss or after `invalidate`. */
export interface Discovery {
  /**
   * Rejects with KindUnavailable when the server does not serve the kind now, with ApiTransient when nobody knows because
   * the server behind its API group does not answer.
   */
  resource(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ApiResource>;
  /** Asks the server. */
  all(signal?: AbortSignal): Promise<OfferedResources>;
  invalidate(): void;
  /** Leaves the core API as it is known, which no CRD changes. */
  invalidateGroups(): void;
}

interface State {
  readonly core: Part;
  readonly groups: Part;
  readonly server: string;
}

/** A miss within this time of the last answer is believed without asking again. */
const missCacheMs = 250;

export function createDiscovery(fetch: FetchDiscovery, server: string): Discovery {
  const state: State = { core: createPart(fetch, '/api'), groups: createPart(fetch, '/apis'), server };
  return {
    resource: async (apiVersion, kind, signal) =>
      beforeAsking(state, apiVersion, kind) ?? (await findResource(state, { apiVersion, kind }, signal)),
    async all(signal) {
      await untilAborted(loadAll(state), signal);
      const [core, groups] = [state.core.offered(), state.groups.offered()];
      return {
        resources: [...core.resources, ...groups.resources],
        unavailable: [...core.unavailable, ...groups.unavailable],
      };
    },
    invalidate() {
      state.core.invalidate();
      state.groups.invalidate();
    },
    invalidateGroups: () => state.groups.invalidate(),
  };
}

/** Every API server has them, so the first question to one, for its identity, need not wait for discovery. */
const namespaces: ApiResource = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  verbs: ['get'],
  preferred: true,
};

function beforeAsking({ core }: State, apiVersion: string, kind: string): ApiResource | undefined {
  const asked = core.ageMs() !== Infinity;
  return !asked && apiVersion === namespaces.apiVersion && kind === namespaces.kind ? namespaces : undefined;
}

async function loadAll({ core, groups }: State): Promise<void> {
  await Promise.all([core.load(), groups.load()]);
}

async function findResource(
  state: State,
  type: { readonly apiVersion: string; readonly kind: string },
  signal: AbortSignal | undefined,
): Promise<ApiResource> {
  const { apiVersion, kind } = type;
  const part = apiVersion.includes('/') ? state.groups : state.core;
  // The first look-up is soon followed by one in the other part: one round trip for both.
  if (part.ageMs() === Infinity) await untilAborted(loadAll(state), signal);
  while (part.isOutdated()) await untilAborted(part.load(), signal);
  if (part.find(apiVersion, kind) === undefined && part.ageMs() > missCacheMs) {
    await untilAborted(part.load(), signal);
  }
  const found = part.find(apiVersion, kind);
  if (found !== undefined) return found;
  if (part.offered().unavailable.includes(apiVersion)) throw unanswered(state, apiVersion);
  throw new OperatorError(
    'KindUnavailable',
    `no matches for kind "${kind}" in version "${apiVersion}" on ${state.server}`,
    { details: { apiVersion, kind } },
  );
}

function unanswered(state: State, apiVersion: string): OperatorError {
  return new OperatorError(
    'ApiTransient',
    `${state.server} cannot say which kinds it serves of ${apiVersion}: the server behind that API group does not ` +
      'answer; repair or delete its APIService',
  );
}

/** The legacy API or all groups: each is asked for only when one of its kinds is looked up. */
interface Part {
  /** One question at a time, shared by all who wait. */
  load(): Promise<void>;
  find(apiVersion: string, kind: string): ApiResource | undefined;
  offered(): OfferedResources;
  invalidate(): void;
  /** Not asked since the newest invalidation. */
  isOutdated(): boolean;
  /** Milliseconds since the last answer. */
  ageMs(): number;
}

function createPart(fetch: FetchDiscovery, path: string): Part {
  let etag: string | undefined;
  let known: KnownResources = { offered: { resources: [], unavailable: [] }, index: new Map() };
  let loading: Promise<void> | undefined;
  let loadedAt = -Infinity;
  // Counts invalidations: a load that began before the newest one does not end it.
  let wanted = 1;
  let loaded = 0;
  const ask = async (): Promise<void> => {
    const began = wanted;
    const answer = await fetch(path, etag);
    if (answer.type === 'changed') {
      const aggregated = parseAggregated(answer.body);
      known = knownResources(aggregated ?? (await readVersions(fetch, path, answer.body)));
      etag = aggregated === undefined ? undefined : answer.etag;
    }
    loadedAt = performance.now();
    loaded = began;
  };
  return {
    load() {
      loading ??= ask().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    find: (apiVersion, kind) => known.index.get(`${apiVersion}/${kind}`),
    offered: () => known.offered,
    invalidate() {
      wanted += 1;
    },
    isOutdated: () => loaded < wanted,
    ageMs: () => performance.now() - loadedAt,
  };
}

interface KnownResources {
  readonly offered: OfferedResources;
  readonly index: ReadonlyMap<string, ApiResource>;
}

/** Clusters of a fleet offer much the same; what each has alone, and what a cluster had before, is soon forgotten. */
const documents = createSharedValues<KnownResources>(30);

function knownResources(offered: OfferedResources): KnownResources {
  const digest = createHash('sha256').update(JSON.stringify(offered)).digest('base64');
  return documents.share(digest, { offered, index: indexOf(offered.resources) });
}

/** Two resources may share a kind; the one that can do more is meant. */
function indexOf(resources: readonly ApiResource[]): ReadonlyMap<string, ApiResource> {
  const index = new Map<string, ApiResource>();
  for (const resource of resources) {
    const key = `${resource.apiVersion}/${resource.kind}`;
    const other = index.get(key);
    if (other === undefined || other.verbs.length < resource.verbs.length) index.set(key, resource);
  }
  return index;
}

/** One request for each group version, for servers and proxies that do not aggregate. */
async function readVersions(fetch: FetchDiscovery, path: string, body: unknown): Promise<OfferedResources> {
  const versions = parseGroupVersions(body);
  if (versions === undefined) {
    throw new OperatorError(
      'RemoteClientCreationFailed',
      `what answers to GET ${path} is not a Kubernetes API server; correct the address in the ClusterProfile`,
    );
  }
  const unavailable: string[] = [];
  const lists = await Promise.all(
    versions.map(async (version) => {
      try {
        const answer = await fetch(`${path}/${version.apiVersion}`, undefined);
        return answer.type === 'changed' ? parseResourceList(answer.body, version) : [];
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        unavailable.push(version.apiVersion);
        return [];
      }
    }),
  );
  return { resources: lists.flat(), unavailable };
}

function isUnanswered(error: unknown): boolean {
  return error instanceof OperatorError && error.details['status'] === 503;
}
