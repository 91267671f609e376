import { isAlias, isScalar, visit } from 'yaml';
import type { Alias, Document, Node, Pair, Scalar } from 'yaml';

/** What a YAML document has that no Kubernetes object can hold. */
export interface DocumentProblem {
  /** Offset in the text. */
  readonly offset: number | undefined;
  readonly message: string;
}

/**
 * The first thing in a document that JSON cannot hold exactly, or undefined: keys that are no text, numbers that are
 * not finite or would be rounded, aliases that lead nowhere or into themselves.
 */
export function findProblem(document: Document.Parsed): DocumentProblem | undefined {
  let found: DocumentProblem | undefined;
  const report = (node: Node, message: string | undefined): symbol | undefined => {
    if (message === undefined) return undefined;
    found = { offset: node.range?.[0], message };
    return visit.BREAK;
  };
  visit(document, {
    Scalar: (_key, node) => report(node, numberProblem(node)),
    Alias: (_key, node, path) => report(node, aliasProblem(node, document, path)),
    Pair: (_key, pair) => report(keyNode(pair) ?? document.contents ?? emptyNode, keyProblem(pair)),
  });
  return found;
}

const emptyNode = {} as Node;

function numberProblem({ value, source }: Scalar): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return `the number ${source ?? String(value)} is not finite`;
  const rounded = Number.isInteger(value) && !Number.isSafeInteger(value) && !/[.e]/i.test(source ?? '');
  return rounded
    ? `the number ${source ?? String(value)} is too large to be kept exactly; quote it`
    : undefined;
}

function aliasProblem(alias: Alias, document: Document.Parsed, path: readonly unknown[]): string | undefined {
  const target = alias.resolve(document);
  if (target === undefined) return `the alias *${alias.source} has no anchor before it`;
  return path.includes(target) ? `the alias *${alias.source} is inside of what it stands for` : undefined;
}

function keyNode({ key }: Pair): Node | undefined {
  return typeof key === 'object' && key !== null ? (key as Node) : undefined;
}

function keyProblem({ key }: Pair): string | undefined {
  if (isScalar(key) && key.value !== null) return undefined;
  if (isAlias(key)) return 'an alias cannot be a key';
  return isScalar(key) || key === null ? 'a key is null' : 'a map or list cannot be a key';
}
