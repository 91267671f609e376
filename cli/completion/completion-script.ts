import type { Command, Option } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** One word that may follow the words so far. */
interface Suggestion {
  readonly word: string;
  readonly description: string;
}

interface Context {
  /** Words of the commands, such as `abandoned list`; empty for the program itself. */
  readonly path: string;
  readonly suggestions: readonly Suggestion[];
}

/** A script for one shell, made from the declarations: commands and options of each, and the choices of options. */
export function completionScript(shell: Shell, program: Command): string {
  const contexts = contextsOf(program, []);
  switch (shell) {
    case 'bash':
      return bashScript(contexts);
    case 'zsh':
      return `#compdef knative-fleet\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(contexts)}`;
    case 'fish':
      return fishScript(contexts);
  }
}

function contextsOf(command: Command, path: readonly string[]): readonly Context[] {
  const options = command.createHelp().visibleOptions(command);
  const suggestions = [
    ...command.commands.map((child) => ({ word: child.name(), description: child.description() })),
    ...options.flatMap(optionSuggestions),
  ];
  return [
    { path: path.join(' '), suggestions },
    ...command.commands.flatMap((child) => contextsOf(child, [...path, child.name()])),
  ];
}

function optionSuggestions(option: Option): readonly Suggestion[] {
  const names = [option.long].filter((name) => name !== undefined && name !== null);
  return names.map((word) => ({ word, description: option.description }));
}

function bashScript(contexts: readonly Context[]): string {
  const cases = contexts.map(
    ({ path, suggestions }) => `    '${path}') words='${suggestions.map(({ word }) => word).join(' ')}' ;;`,
  );
  const known = contexts.map(({ path }) => path).filter(Boolean);
  return `_knative_fleet() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${known.map((path) => `'${path}'`).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    -o|--output) COMPREPLY=($(compgen -W 'text wide json yaml' -- "$current")); return ;;
  esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _knative_fleet knative-fleet`;
}

function fishScript(contexts: readonly Context[]): string {
  const lines = contexts.flatMap(({ path, suggestions }) =>
    suggestions.map(({ word, description }) => fishLine(path, word, description)),
  );
  return ['complete -c knative-fleet -f', ...lines].join('\n');
}

function fishLine(path: string, word: string, description: string): string {
  const condition =
    path === ''
      ? '__fish_use_subcommand'
      : path
          .split(' ')
          .map((name) => `__fish_seen_subcommand_from ${name}`)
          .join('; and ');
  const text = description.replaceAll("'", '').split('. ')[0] ?? '';
  const flag = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
  return `complete -c knative-fleet -n '${condition}' ${flag} -d '${text}'`;
}
