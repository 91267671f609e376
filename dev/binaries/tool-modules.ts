import { fileURLToPath } from 'node:url';

/** Version that the API server and its clients report; without it version checks of clients fail. */
export const kubernetesVersion = 'v1.35.4';

const [major, minor] = kubernetesVersion.slice(1).split('.');
const versionPackage = 'k8s.io/component-base/version';
const versionFlags = [
  `-X ${versionPackage}.gitVersion=${kubernetesVersion}`,
  `-X ${versionPackage}.gitMajor=${major ?? ''}`,
  `-X ${versionPackage}.gitMinor=${minor ?? ''}`,
  `-X ${versionPackage}.gitTreeState=clean`,
].join(' ');

export type BinaryName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kwok'
  | 'helm';

export interface ToolModule {
  /** Folder with go.mod and go.sum. */
  readonly folder: string;
  readonly goPackage: string;
  readonly ldflags: string;
}

const folder = (name: string): string => fileURLToPath(new URL(`../tools/${name}`, import.meta.url));

const kubernetes = (name: string): ToolModule => ({
  folder: folder('kubernetes'),
  goPackage: `k8s.io/kubernetes/cmd/${name}`,
  ldflags: `-s -w ${versionFlags}`,
});

/** How each binary is built, in the order that shares most of the work. kwok pulls newer libraries, so it has its own module. */
export const toolModules: Readonly<Record<BinaryName, ToolModule>> = {
  etcd: { folder: folder('etcd'), goPackage: 'go.etcd.io/etcd/server/v3', ldflags: '-s -w' },
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kubectl: kubernetes('kubectl'),
  kwok: { folder: folder('kwok'), goPackage: 'sigs.k8s.io/kwok/cmd/kwok', ldflags: '-s -w' },
  helm: { folder: folder('helm'), goPackage: 'helm.sh/helm/v4/cmd/helm', ldflags: '-s -w' },
};

/** What a cluster for development consists of. */
export const clusterBinaries = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
] as const satisfies readonly BinaryName[];
export type ClusterBinary = (typeof clusterBinaries)[number];
