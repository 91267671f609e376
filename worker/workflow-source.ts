import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The part of a worker's options that says where workflow code comes from. */
export type WorkflowSource =
  | { readonly workflowBundle: { readonly codePath: string } }
  | { readonly workflowsPath: string; readonly bundlerOptions: { readonly preloadModules: string[] } };

/** The bundle that was asked for, else the one that the build made, else the sources, which are bundled now. */
export function workflowSource(configured: string | undefined): WorkflowSource {
  const built = pathOf('../workflow-bundle.js');
  const codePath = configured ?? (existsSync(built) ? built : undefined);
  if (codePath !== undefined) return { workflowBundle: { codePath } };
  const { workflowsPath, ...bundlerOptions } = bundleOptions(pathOf('../workflows/index.ts'));
  return { workflowsPath, bundlerOptions };
}

/**
 * How workflows are bundled, here and ahead of time. Their modules are loaded once for all cached workflows, not for each,
 * and frozen; so no module that runs inside workflows may keep anything between two calls.
 */
export function bundleOptions(workflowsPath: string): {
  readonly workflowsPath: string;
  readonly preloadModules: string[];
} {
  return { workflowsPath, preloadModules: [workflowsPath] };
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
