/** A metric as an expression uses it. */
export interface MetricUse {
  readonly name: string;
  readonly labels: readonly string[];
}

/** What an expression names: metrics with the labels they are selected by, and the labels it groups or joins by. */
export interface Names {
  readonly metrics: readonly MetricUse[];
  readonly grouping: readonly string[];
}

const words: ReadonlySet<string> = new Set([
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'by',
  'without',
  'on',
  'ignoring',
]);
const grouping = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

export function namesIn(expression: string): Names {
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\$\{?\w+\}?/g, '0');
  const groups = [...bare.matchAll(grouping)].flatMap(([, labels = '']) => split(labels));
  const rest = bare.replaceAll(grouping, ' ');
  const metrics = [...rest.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?(\s*\()?/g)].flatMap(
    ([, name = '', selector = '', call]) => {
      if (call !== undefined || words.has(name)) return [];
      const labels = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
      return [{ name, labels }];
    },
  );
  return { metrics, grouping: groups };
}

function split(labels: string): string[] {
  return labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}
