import type { ComponentState } from '../domain/lifecycle/component-state.ts';
import { initialState } from '../domain/lifecycle/component-state.ts';
import { receive } from '../domain/lifecycle/reduce.ts';
import type { Message } from '../domain/lifecycle/reduce.ts';
import type { ComponentInput } from './messages.ts';

/** The state of one run and the way messages reach it. */
export interface ComponentRun {
  readonly input: ComponentInput;
  state: ComponentState;
  send(message: Message): void;
  /** Called when a message arrives while a step runs. */
  onMessage: (() => void) | undefined;
  /** The search attributes as last written; each write is an event in history. */
  shown: string;
}

export function createRun(input: ComponentInput): ComponentRun {
  const run: ComponentRun = {
    input,
    state: input.state ?? firstState(input),
    onMessage: undefined,
    shown: '',
    send(message) {
      run.state = receive(run.state, message);
      run.onMessage?.();
    },
  };
  return run;
}

function firstState(input: ComponentInput): ComponentState {
  const state = initialState(input.uid, input.generation);
  return input.deleting === true ? receive(state, { type: 'resourceDeleted', uid: input.uid }) : state;
}
