import type { z } from 'zod';

/** One setting of a process, read from its environment variable or from its flag, which wins. */
export interface Setting<Value = unknown> {
  readonly variable: string;
  readonly flag?: `--${string}`;
  /** From the text to the value; its message says what is wrong with a text that cannot be used. */
  readonly schema: z.ZodType<Value, string>;
  /** As one would write it; without it the setting may be absent. */
  readonly default?: string;
  readonly meaning: string;
}

/** The same with a default, so that there always is a value. */
export type SettingWithDefault<Value> = Setting<Value> & { readonly default: string };

export type Settings = Readonly<Record<string, Setting>>;

export type SettingValues<S extends Settings> = {
  readonly [Key in keyof S]: S[Key] extends SettingWithDefault<infer Value>
    ? Value
    : z.output<S[Key]['schema']> | undefined;
};

export interface SettingSources {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Reads all settings. An empty text counts as absent. Throws one Error that lists every problem. */
export function readSettings<S extends Settings>(settings: S, sources: SettingSources): SettingValues<S> {
  const { texts, problems } = readFlags(settings, sources.args);
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) {
    const given = texts.get(setting.variable) ?? sources.environment[setting.variable];
    const text = given === undefined || given === '' ? setting.default : given;
    if (text === undefined) continue;
    const parsed = setting.schema.safeParse(text);
    if (parsed.success) values[key] = parsed.data;
    else
      problems.push(`${setting.variable}: ${parsed.error.issues.map(({ message }) => message).join('; ')}`);
  }
  if (problems.length > 0) {
    throw new Error(
      `the configuration has problems:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  }
  return values as SettingValues<S>;
}

/** `--flag value` and `--flag=value`, by the variable that each stands for. */
function readFlags(
  settings: Settings,
  args: readonly string[],
): { texts: ReadonlyMap<string, string>; problems: string[] } {
  const variables = new Map<string, string>(
    Object.values(settings).flatMap(({ flag, variable }) => (flag === undefined ? [] : [[flag, variable]])),
  );
  const texts = new Map<string, string>();
  const problems: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const [flag = '', inline] = (args[index] ?? '').split(/=(.*)/s);
    const variable = variables.get(flag);
    const text = inline ?? args[++index];
    if (variable === undefined)
      problems.push(`${flag}: is not a flag; known are ${[...variables.keys()].join(', ')}`);
    else if (text === undefined) problems.push(`${flag}: needs a value`);
    else texts.set(variable, text);
  }
  return { texts, problems };
}
