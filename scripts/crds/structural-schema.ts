import { z } from 'zod';

/** A node of a structural schema, as CustomResourceDefinitions use it. */
export interface StructuralSchema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly items?: StructuralSchema;
  readonly additionalProperties?: StructuralSchema;
  readonly [keyword: string]: unknown;
}

type Node = Readonly<Record<string, unknown>>;

const int32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 };
const int64 = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Keywords that pass unchanged; anything else in the output of zod is refused rather than dropped silently. */
const kept: ReadonlySet<string> = new Set([
  'type',
  'format',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'required',
]);

/**
 * Turns a zod schema into a structural schema. Throws for a construct that has no structural form, such as a union of
 * objects. Integers get the format that their bounds say, and lose these bounds.
 */
export function structuralSchema(schema: z.ZodType): StructuralSchema {
  const { $schema: _dialect, ...root } = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' });
  return convert(root, []);
}

function convert(node: Node, path: readonly string[]): StructuralSchema {
  const { description, ...rest } = node;
  const head = typeof description === 'string' ? { description } : {};
  if (node['x-kubernetes-int-or-string'] === true) return { ...head, ...intOrString(rest) };
  if (node['type'] === undefined) throw new Error(`${path.join('.')}: has no structural form`);
  const result: Record<string, unknown> = { ...head };
  for (const [keyword, value] of Object.entries(withFormat(rest))) {
    if (kept.has(keyword) || keyword.startsWith('x-kubernetes-')) result[keyword] = value;
    else if (!isChild(keyword))
      throw new Error(`${path.join('.')}: keyword ${keyword} has no structural form`);
  }
  return { ...result, ...children(rest, path) };
}

function isChild(keyword: string): boolean {
  return ['properties', 'items', 'additionalProperties', 'propertyNames'].includes(keyword);
}

function children(node: Node, path: readonly string[]): Node {
  const result: Record<string, unknown> = {};
  const { properties, items, additionalProperties } = node;
  if (isNode(properties)) {
    result['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [name, convert(asNode(child), [...path, name])]),
    );
  }
  if (isNode(items)) result['items'] = convert(items, [...path, '[]']);
  if (isNode(additionalProperties)) {
    result['additionalProperties'] = convert(additionalProperties, [...path, '{}']);
  }
  return result;
}

function intOrString(node: Node): Node {
  const { anyOf: _alternatives, type: _type, ...rest } = node;
  return { anyOf: [{ type: 'integer' }, { type: 'string' }], ...rest };
}

function withFormat(node: Node): Node {
  if (node['format'] === 'date-time') {
    const { pattern: _huge, ...rest } = node;
    return rest;
  }
  if (node['type'] !== 'integer') return node;
  const { minimum, maximum, ...rest } = node;
  const bounds = maximum === int32.maximum ? int32 : int64;
  return {
    ...rest,
    format: bounds === int32 ? 'int32' : 'int64',
    ...(minimum === bounds.minimum ? {} : { minimum }),
    ...(maximum === bounds.maximum ? {} : { maximum }),
  };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asNode(value: unknown): Node {
  return isNode(value) ? value : {};
}
