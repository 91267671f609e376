import type { Command } from 'commander';

import type { Invocation } from '../invocation.ts';
import { declareAbandoned } from './abandoned.ts';
import { declareClaim } from './claim.ts';
import { declareCleanup } from './cleanup.ts';
import { declareCompletion } from './completion.ts';
import { declareResume, declareSuspend, declareSync } from './control.ts';
import { declareDescribe } from './describe.ts';
import { declareDiff } from './diff.ts';
import { declareDoctor } from './doctor.ts';
import { declareDrain } from './drain.ts';
import { declareHistory } from './history.ts';
import { declareRender } from './render.ts';
import { declareStatus } from './status.ts';

/** Every command, in the order of the help. */
export const commandDeclarations: readonly ((invocation: Invocation) => Command)[] = [
  declareStatus,
  declareDescribe,
  declareHistory,
  declareDiff,
  declareRender,
  declareSync,
  declareSuspend,
  declareResume,
  declareCleanup,
  declareAbandoned,
  declareClaim,
  declareDrain,
  declareDoctor,
  declareCompletion,
];
