import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { bundleWorkflowCode } from '@temporalio/worker';

import { bundleOptions } from '../worker/workflow-source.ts';

/** The last step of the build: workers then start without a bundler, and all replicas run the same code. */
const root = resolve(import.meta.dirname, '..');
const { code } = await bundleWorkflowCode(bundleOptions(resolve(root, 'workflows/index.ts')));
await writeFile(resolve(root, 'dist/workflow-bundle.js'), code);
