import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The part of a worker's options that says where workflow code comes from. */
export type WorkflowSource =
  | { readonly workflowBundle: { readonly codePath: string } }
  | { readonly workflowsPath: string };

/** The bundle that was asked for, else the one that the build made, else the sources, which are bundled now. */
export function workflowSource(configured: string | undefined): WorkflowSource {
  const built = pathOf('../workflow-bundle.js');
  const codePath = configured ?? (existsSync(built) ? built : undefined);
  return codePath === undefined
    ? { workflowsPath: pathOf('../workflows/index.ts') }
    : { workflowBundle: { codePath } };
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
